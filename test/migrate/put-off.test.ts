/** What of a batch was done, and when the rest is asked for again. */

import { expect, test } from 'vitest';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { repo, type Stage } from '../simulation/stage.ts';
import { cyclesOn, importerOn, importStage, migrateOn } from './bench.ts';

const bugs = 12;

/** Bugs with a comment that is tagged, each of them closed for a reason that an import cannot say. */
function filled(): Stage {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1) {
    const bug = alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
    world.tracker.as('admin').tag(alice.comment(bug, 'Buy this'), { add: ['spam'] });
    alice.change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  }
  world.clock.advance(86_400_000);
  return world;
}

const shown = ({ github }: Stage) =>
  github
    .issues(repo)
    .map(({ number, stateReason }) => [
      stateReason,
      ...github.commentsOf(repo, number).map(({ minimized }) => minimized),
    ]);
const wanted = Array.from({ length: bugs }, () => ['not_planned', 'spam']);

test.each(['limit', 'timeout', 'forbidden'] as const)(
  'nothing counts that was not done of a batch: %s',
  async (why) => {
    const world = filled();
    world.faults = (side) => (side === 'github' ? { kind: 'half-done', why } : { kind: 'none' });
    await migrateOn(world);
    world.faults = noFaults;
    await cyclesOn(world, 3);
    expect(shown(world)).toEqual(wanted);
    expect(world.store.outbox.count('widget')).toEqual({ planned: 0, sent: 0, parked: 0 });
    expect(await cyclesOn(world, 2)).toEqual([]);
  },
);

test('what of a batch of closings was put off goes with the next, after the pause', async () => {
  const world = filled();
  const direct = importerOn(world, () => ({ kind: 'half-done', why: 'limit' }));
  const askedAt: number[] = [];
  const close: typeof direct.close = (closings) => {
    askedAt.push(world.clock.now());
    return direct.close(closings);
  };
  await migrateOn(world, { importer: { ...direct, close } });
  expect(shown(world)).toEqual(wanted);
  expect(askedAt).toHaveLength(bugs);
  expect(askedAt.slice(1).every((at, index) => at - (askedAt[index] ?? at) >= 60_000)).toBe(true);
});

test('minimizing that was put off is requested one by one, after the pause', async () => {
  const world = filled();
  const direct = importerOn(world, () => ({ kind: 'half-done', why: 'limit' }));
  const { close } = importerOn(world);
  const askedAt: number[] = [];
  world.between = (_side, method, when) => {
    if (method === 'minimize' && when === 'before') askedAt.push(world.clock.now());
  };
  const minimize: typeof direct.minimize = (foldings) => {
    askedAt.push(world.clock.now());
    return direct.minimize(foldings);
  };
  await migrateOn(world, { importer: { ...direct, close, minimize } });
  expect(shown(world)).toEqual(wanted);
  expect(askedAt).toHaveLength(bugs);
  expect((askedAt[1] ?? 0) - (askedAt[0] ?? 0)).toBeGreaterThanOrEqual(60_000);
});

test('closings that are put off again and again are waited for longer each time, and left to the cycles in the end', async () => {
  const world = filled();
  const direct = importerOn(world);
  const askedAt: number[] = [];
  const close: typeof direct.close = async () => {
    askedAt.push(world.clock.now());
    return { done: new Set(), failure: { kind: 'later', at: null, wholeSide: true, why: 'slowly' } };
  };
  await migrateOn(world, { importer: { ...direct, close } });
  const minutes = askedAt.slice(1, 9).map((at, index) => Math.round((at - (askedAt[index] ?? at)) / 60_000));
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(shown(world)).toEqual(wanted);
});
