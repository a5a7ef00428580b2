import { directGithubReplica } from '../../../src/sandbox/github/replica.ts';
import type { GithubSetup } from '../../contract/github/bench.ts';
import { githubReplicaContract } from '../../contract/github/replica.ts';

const direct: GithubSetup = async ({ world, clock, login, repo, faults, pageSize }) => ({
  replica: directGithubReplica(world, { user: login, repo, clock, faults, pageSize, dependencies: true }),
  close: async () => {},
});

githubReplicaContract('the direct door of the sandbox GitHub', direct);
