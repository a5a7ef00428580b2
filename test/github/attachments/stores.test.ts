import { onTestFinished } from 'vitest';
import { branchStore } from '../../../src/github/attachments/branch-store.ts';
import { releaseStore } from '../../../src/github/attachments/release-store.ts';
import { createGithubClient, type GithubClient } from '../../../src/github/connection/client.ts';
import type { AttachmentStore } from '../../../src/model/attachment.ts';
import { serveGithub } from '../../../src/sandbox/github/server/server.ts';
import { noFaults } from '../../../src/sandbox/server/faults.ts';
import {
  type AttachmentStoreScenario,
  attachmentStoreContract,
  attachmentStoreWorld,
} from '../../contract/github/attachment-store.ts';

interface StoreBench {
  readonly client: GithubClient;
  readonly owner: string;
  readonly repo: string;
}

const scenario = (make: (place: StoreBench) => AttachmentStore) => async (): Promise<AttachmentStoreScenario> => {
  const world = attachmentStoreWorld();
  let faults = noFaults;
  const server = await serveGithub(world, { port: 0, faults: (side, cost) => faults(side, cost) });
  onTestFinished(() => server.close());
  return {
    world,
    attachmentStore({ login, repo: fullName }) {
      const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
      const client = createGithubClient({
        url: server.url,
        token: `token-of-${login}`,
        lane,
        timeoutMs: 5_000,
        now: world.state.now,
      });
      const [owner = '', repo = ''] = fullName.split('/');
      return make({ client, owner, repo });
    },
    fail(next) {
      faults = next;
    },
  };
};

attachmentStoreContract(
  'the client of a branch',
  scenario((place) => branchStore({ ...place, branch: 'attachments' })),
);
attachmentStoreContract(
  'the client of releases',
  scenario((place) => releaseStore({ ...place, tag: 'attachments' })),
);
