import { describe } from 'vitest';
import { directGithubReplica } from '../../src/sandbox/github/replica.ts';
import { type GithubSetup, githubSession } from '../contract/github-bench.ts';
import { fieldCases } from '../contract/github-fields.ts';
import { githubReplicaContract } from '../contract/github-replica.ts';

const direct: GithubSetup = async ({ world, clock, login, repo, faults, pageSize }) => ({
  replica: directGithubReplica(world, { user: login, repo, clock, faults, pageSize, dependencies: true }),
  close: async () => {},
});

githubReplicaContract('the direct door of the sandbox GitHub', direct);
describe('the direct door of the sandbox GitHub, with fields', () => fieldCases(githubSession(direct)));
