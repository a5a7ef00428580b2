import { directGithubReplica } from '../../src/sandbox/github/replica.ts';
import { githubReplicaContract } from '../contract/github-replica.ts';

githubReplicaContract('the direct door of the sandbox GitHub', async ({ world, clock, login, repo, faults, pageSize }) => ({
  replica: directGithubReplica(world, { user: login, repo, clock, faults, pageSize, dependencies: true }),
  close: async () => {},
}));
