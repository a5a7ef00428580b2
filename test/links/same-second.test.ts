import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** Stamps have whole seconds: of two versions of the same second, a list that lags may show the older one last. */
interface Shown {
  readonly titles: readonly string[];
  /** How often the bug was written to. */
  readonly writes: number;
  /** How many issues were read by their numbers. */
  readonly reads: number;
}

/**
 * Somebody labels an issue, and within the same second the bridge gives it another title. Then a list shows it as it
 * was in between.
 * @param isBehind whether that list does
 */
async function titled(isBehind: boolean, run = cycle): Promise<Shown> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const behind = { listMs: 0 };
  world.github.setBehind({ listMs: () => behind.listMs });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const pass = async (afterMs: number): Promise<void> => {
    world.clock.advance(afterMs);
    await run(context, { isForced: false });
  };
  for (let index = 0; index < 4; index += 1) await pass(20 * 60_000);
  world.tracker.as('alice').change(1, { summary: 'A better title' });
  world.github.as('mona').label(repo, 1, 'theirs');
  const labelledAt = world.clock.now();
  // No list has shown the label when the bridge writes.
  behind.listMs = 1_000;
  world.between = (side, method, when) => {
    if (side === 'github' && method === 'update' && when === 'before') world.clock.advance(300);
  };
  await pass(300);
  const before = world.calls.length;
  behind.listMs = isBehind ? world.clock.now() + 5_000 - labelledAt - 500 : 0;
  await pass(5_000);
  behind.listMs = 0;
  for (let index = 0; index < 4; index += 1) await pass(60_000);
  const count = (on: 'tracker' | 'github', what: string): number =>
    world.calls.slice(before).filter(({ side, method }) => side === on && method === what).length;
  return {
    titles: [world.tracker.bug(1)?.summary ?? '', world.github.issue(repo, 1)?.title ?? ''],
    writes: count('tracker', 'update'),
    reads: count('github', 'probe'),
  };
}

test('an older version of the same second takes nothing back', async () => {
  expect(await titled(true)).toEqual({ titles: ['A better title', 'A better title'], writes: 0, reads: 1 });
});

test('a list that shows what is known asks for nothing more', async () => {
  expect(await titled(false)).toEqual({ titles: ['A better title', 'A better title'], writes: 0, reads: 0 });
});

test('a planted fault is caught: a version of the same second counts as newer', async () => {
  const fault: Fault = { file: 'sync/observe/poll.ts', from: 'known.changedAt !== issue.changedAt', to: 'true' };
  const { cycle: broken } = (await import(`${plant(fault)}/sync/cycle.ts`)) as typeof import('../../src/sync/cycle.ts');
  expect((await titled(true, broken)).writes).toBe(2);
});
