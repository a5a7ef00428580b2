import { expect, onTestFinished, test } from 'vitest';
import { bugzillaAttachments } from '../../src/bugzilla/attachments.ts';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { type FaultSource, noFaults } from '../../src/sandbox/server/faults.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { attachmentClientContract } from '../contract/tracker/attachments.ts';

const now = (): number => Date.UTC(2026, 10, 21);
const url = 'https://bugs.example.test';
const lane = { run: <T>(_cost: unknown, request: () => Promise<T>) => request() };

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
      const client = createTrackerClient({ url: served.url, apiKey, login, auth: 'query', lane, timeoutMs: 5_000 });
      return bugzillaAttachments({ client, url: `${url}/`, warn: (message) => expect.unreachable(message) });
    },
    fail(next) {
      current = next;
    },
  };
});

test.each([
  ['whole', 'c29tZSB3b3Jkcw==', 'applied'],
  ['in lines', 'c29tZSB3\nb3Jkcw==\n', 'applied'],
  ['cut', 'c29tZSB3', 'later'],
  ['of something else', 'b3RoZXIgd29yZHMsIGFuZCBtb3Jl', 'later'],
  ['no base64', '%%% words %%%', 'later'],
])('a content that is %s', async (_what, data, kind) => {
  const attachment = { id: 7, bug_id: 1, size: 10, is_private: false, data };
  const fetch = async () => Response.json({ bugs: {}, attachments: { 7: attachment } });
  const client = createTrackerClient({ url, apiKey: 'key', login: 'me', auth: 'query', lane, timeoutMs: 5_000, fetch });
  const { content } = bugzillaAttachments({ client, url, warn: (message) => expect.unreachable(message) });
  expect(await content(7)).toMatchObject({ kind });
});
