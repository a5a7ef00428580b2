import { onTestFinished } from 'vitest';
import { branchShelf } from '../../../src/github/attachments/branch-store.ts';
import { releaseShelf } from '../../../src/github/attachments/release-store.ts';
import { createGithubClient, type GithubClient } from '../../../src/github/connection/client.ts';
import type { Shelf } from '../../../src/model/attachment.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { noFaults } from '../../../src/sandbox/server/faults.ts';
import { type ShelfScene, shelfContract, shelfWorld } from '../../contract/github/attachment-store.ts';

interface Place {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
}

const scene = (make: (place: Place) => Shelf) => async (): Promise<ShelfScene> => {
  const world = shelfWorld();
  let faults = noFaults;
  const door = await serveGithub(world, { port: 0, faults: (side, cost) => faults(side, cost) });
  onTestFinished(() => door.close());
  return {
    world,
    shelf({ login, repo: fullName }) {
      const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
      const client = createGithubClient({ url: door.url, token: `token-of-${login}`, lane, timeoutMs: 5_000, now: world.state.now });
      const [owner = '', repo = ''] = fullName.split('/');
      return make({ client, owner, repo });
    },
    fail(next) {
      faults = next;
    },
  };
};

shelfContract(
  'the client of a branch',
  scene((place) => branchShelf({ ...place, branch: 'attachments' })),
);
shelfContract(
  'the client of releases',
  scene((place) => releaseShelf({ ...place, tag: 'attachments' })),
);
