import { expect, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { bugzillaReplica } from '../../src/bugzilla/replica.ts';
import { trackerLane } from '../../src/runtime/rate-limit.ts';
import { serveTracker } from '../../src/sandbox/tracker/server/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world/world.ts';
import { openLane } from './api/fake-tracker.ts';

const slow = { sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };

/**
 * A tracker like harmony, which takes a moment for each answer. Many bugs are changed at once; answers how many show
 * it.
 */
async function storedOf(lane: ReturnType<typeof trackerLane>): Promise<number> {
  const world = createTrackerWorld({ now: () => Date.now(), url: 'http://tracker.invalid' });
  const bugs = Array.from({ length: 12 }, (_, index) => world.as('alice').file({ summary: `Bug ${index}` }));
  const served = await serveTracker(world, {
    port: 0,
    losesParallelWrites: true,
    clock: slow,
    faults: (_side, cost) => (cost === 'read' ? { kind: 'none' } : { kind: 'slow', delayMs: 5 }),
  });
  try {
    const client = createTrackerClient({
      url: served.url,
      apiKey: world.user('bridge').apiKey,
      auth: 'auto',
      lane,
      timeoutMs: 10_000,
    });
    const replica = bugzillaReplica({ client, product: 'Widget', url: world.url, pageSize: 50, warn: () => {} });
    await replica.hello();
    const seen = await replica.bugs(bugs);
    const outcomes = await Promise.all(seen.map((bug) => replica.update(bug, { summary: `Changed ${bug.id}` })));
    expect(outcomes.map(({ kind }) => kind)).toEqual(bugs.map(() => 'applied'));
    return world.bugs().filter(({ id, summary }) => summary === `Changed ${id}`).length;
  } finally {
    await served.close();
  }
}

test('the bridge writes one at a time, so a tracker that loses parallel writes loses none', async () => {
  expect(await storedOf(trackerLane({ requestsPerSecond: 500, concurrency: 4 }))).toBe(12);
});

test('parallel writes do lose changes there', async () => {
  expect(await storedOf(openLane())).toBeLessThan(12);
});
