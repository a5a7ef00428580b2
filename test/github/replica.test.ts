import { githubReplicaContract } from '../contract/github/replica.ts';
import { httpGithub } from './http-github.ts';

githubReplicaContract('the GitHub adapter over HTTP', ({ world, clock, login, faults, pageSize }) =>
  httpGithub({ world, now: clock.now, login, faults, pageSize }),
);
