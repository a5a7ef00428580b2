import { expect, onTestFinished } from 'vitest';
import { bugzillaAttachments } from '../../src/bugzilla/attachments.ts';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { attachmentClientContract } from '../contract/tracker/attachments.ts';

const now = (): number => Date.UTC(2026, 10, 21);
const url = 'https://bugs.example.test';

attachmentClientContract('the client of a tracker over HTTP', async (options) => {
  const world = createTrackerWorld({ now, url, ...options });
  let current: FaultSource = noFaults;
  const served = await serveTracker(world, {
    port: 0,
    faults: (side, cost) => current(side, cost),
    clock: { sleep: async () => undefined },
  });
  onTestFinished(() => served.close());
  return {
    world,
    attachmentClient(user) {
      const { apiKey, login } = world.user(user);
      const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };
      const client = createTrackerClient({ url: served.url, apiKey, login, auth: 'query', lane, timeoutMs: 5_000 });
      return bugzillaAttachments({ client, url: `${url}/`, warn: (message) => expect.unreachable(message) });
    },
    fail(next) {
      current = next;
    },
  };
});
