/** A bug that we filed a moment ago, which the tracker's search does not find yet, with or without an account. */

import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** Somebody opens an issue, and gives it another title as soon as it has a bug. */
async function renamed(turn: typeof cycle): Promise<Stage> {
  const world = stage({ listLagMs: 8_000 });
  const context = contextOn(world, { ...widgetRoute, visibilityCheck: 'anonymous' }, { limits: testLimits });
  const cycles = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      world.clock.advance(1_000);
      await turn(context, { isForced: false });
    }
  };
  await cycles(2);
  world.github.as('mona').open(repo, { title: 'First title' });
  for (let left = 30; left > 0 && world.tracker.bugs().length === 0; left -= 1) await cycles(1);
  world.github.as('mona').edit(repo, 1, { title: 'Second title' });
  await cycles(30);
  return world;
}

const locks = ({ calls }: Stage): number =>
  calls.filter(({ side, method }) => side === 'github' && method === 'lock').length;

test('does not count as hidden', async () => {
  const world = await renamed(cycle);
  expect(world.tracker.bugs().map(({ summary }) => summary)).toEqual(['Second title']);
  expect(world.github.issue(repo, 1)?.title).toBe('Second title');
  expect(locks(world)).toBe(0);
});

test('a planted fault is caught: what no search finds counts as hidden', async () => {
  const folder = plant({
    file: 'sync/withdraw/check-visibility.ts',
    from: 'createdAt > since',
    to: 'createdAt > clock.now()',
  });
  const { cycle: turn }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
  expect(locks(await renamed(turn))).toBeGreaterThan(0);
});
