/**
 * A bug that goes after a list showed it, and before its comments were read, for an account that is not shown private
 * ones.
 */

import { expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

async function run(world: Stage, count: number, turn: typeof cycle = cycle): Promise<void> {
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
}

const asked = ({ calls }: Stage) =>
  calls.flatMap(({ side, method }) =>
    side === 'tracker' && (method === 'threads' || method === 'probe') ? [method] : [],
  );

/** Does `how` to bug 1 in the moment before its comments are read for the first time from now on. */
function goingBefore(world: Stage, how: 'hide' | 'remove'): void {
  let isGone = false;
  world.between = (side, method, when) => {
    if (isGone || side !== 'tracker' || method !== 'threads' || when !== 'before') return;
    isGone = true;
    world.tracker[how](1);
  };
}

async function neverRead(how: 'hide' | 'remove', turn: typeof cycle = cycle): Promise<Stage> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'Trouble', description: 'Words' });
  goingBefore(world, how);
  await run(world, 4, turn);
  return world;
}

test.each(['hide', 'remove'] as const)('is looked at once, and gets no issue (%s)', async (how) => {
  const world = await neverRead(how);
  expect([asked(world), world.github.issues(repo)]).toEqual([['threads', 'probe'], []]);
});

test('gets its issue when everybody may see it again', async () => {
  const world = await neverRead('hide');
  world.tracker.unhide(1);
  await run(world, 3);
  expect(world.github.issues(repo).map(({ title }) => title)).toEqual(['Trouble']);
});

async function changed(how: 'hide' | 'remove', turn: typeof cycle = cycle): Promise<string | undefined> {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'Trouble', description: 'Words' });
  await run(world, 3, turn);
  world.tracker.as('alice').change(1, { summary: 'Trouble with the password 1234' });
  goingBefore(world, how);
  await run(world, 3, turn);
  return JSON.stringify(world.calls.filter(({ side }) => side === 'github'));
}

test.each(['hide', 'remove'] as const)('is not told of any more, where it has an issue (%s)', async (how) => {
  expect(await changed(how)).not.toContain('1234');
});

test.each([
  {
    file: 'sync/observe/read-threads.ts',
    from: 'else if (link.issue === null) context.store',
    to: 'else if (link.issue === null) ({ ...context.store, transaction() {} })',
  },
])('a planted fault is caught: $from', async (fault) => {
  const folder = plant(fault);
  const { cycle: turn }: { cycle: typeof cycle } = await import(`${folder}/sync/cycle.ts`);
  const isQuiet = asked(await neverRead('hide', turn)).length === 2;
  expect(isQuiet && !(await changed('hide', turn))?.includes('1234')).toBe(false);
});
