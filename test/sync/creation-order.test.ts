import { describe, expect, test } from 'vitest';
import type { Side } from '../../src/model/ids.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { type Fault, plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** What people make at once gets its counterparts in the order in which it was made. */
const route: Route = { ...widgetRoute, milestones: true };

async function mirrored(world: Stage, turn: typeof cycle): Promise<Stage> {
  for (let count = 0; count < 4; count += 1) {
    world.clock.advance(61_000);
    await turn(contextOn(world, route, { limits: testLimits }), { isForced: false });
  }
  return world;
}

/** GitHub makes the milestone of the first bug before its issue, which takes more requests than the other issues do. */
async function bugs(turn = cycle): Promise<readonly string[]> {
  const world = stage();
  const alice = world.tracker.as('alice');
  alice.file({ summary: 'One', target_milestone: '1.1' });
  for (const summary of ['Two', 'Three']) alice.file({ summary });
  await mirrored(world, turn);
  return world.github.issues(repo).map(({ title }) => title);
}

/** The list shows the first issue last, as somebody has changed it since. */
async function issues(turn = cycle): Promise<readonly string[]> {
  const world = stage();
  await mirrored(world, turn);
  const mona = world.github.as('mona');
  for (const title of ['One', 'Two', 'Three']) mona.open(repo, { title });
  world.clock.advance(5_000);
  mona.edit(repo, 1, { body: 'It fails.' });
  await mirrored(world, turn);
  return world.tracker.bugs().map(({ summary }) => summary);
}

/** The first creation fails, and those behind it are made all the same. */
async function withoutFirst(side: Side): Promise<number> {
  const world = stage();
  await mirrored(world, cycle);
  let isFirst = true;
  world.faults = (ofSide, cost) => {
    if (ofSide !== side || cost !== 'create' || !isFirst) return { kind: 'none' };
    isFirst = false;
    return { kind: 'drop', after: false };
  };
  for (const name of ['One', 'Two', 'Three']) {
    if (side === 'github') world.tracker.as('alice').file({ summary: name });
    else world.github.as('mona').open(repo, { title: name });
  }
  world.clock.advance(61_000);
  await cycle(contextOn(world, route, { limits: testLimits }), { isForced: false });
  return side === 'github' ? world.github.issues(repo).length : world.tracker.bugs().length;
}

describe('counterparts', () => {
  const inOrder = ['One', 'Two', 'Three'];

  test('of bugs are in the order of the bugs', async () => expect(await bugs()).toEqual(inOrder));
  test('of issues are in the order of the issues', async () => expect(await issues()).toEqual(inOrder));

  test.each(['tracker', 'github'] as const)('do not wait for one that fails on %s', async (side) =>
    expect(await withoutFirst(side)).toBe(2),
  );

  test.each<readonly [string, Fault, typeof bugs]>([
    [
      'none waits for its turn',
      { file: 'sync/perform/perform.ts', from: "if (kind === 'create') await job.turn;", to: '' },
      bugs,
    ],
    [
      'links come as lists show them',
      { file: 'sync/observe/observe-items.ts', from: 'of inOrder) observeItem(', to: 'of items) observeItem(' },
      issues,
    ],
  ])('are in another order with a planted fault: %s', async (_name, fault, made) => {
    const planted: { cycle: typeof cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect(await made(planted.cycle)).not.toEqual(inOrder);
  });
});
