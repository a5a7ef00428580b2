import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/** What bugs wait for, between a tracker and a GitHub, when targets come and go. */
const route = { ...widgetRoute, dependencies: true, table: ['depends_on'] };

type Cycle = typeof cycle;

async function run(world: Stage, cycles: number, turn: Cycle = cycle): Promise<number> {
  const context: Context = contextOn(world, route, { limits: testLimits });
  const before = world.calls.length;
  for (let index = 0; index < cycles; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
  }
  return world.calls.slice(before).filter(({ method }) => method === 'update').length;
}

const alice = (world: Stage) => world.tracker.as('alice');
const issueOf = (world: Stage, bug: number): number =>
  Number(world.store.links.after('widget', null, 100).find((link) => link.bug === bug)?.issue);
const blockersOf = (world: Stage, bug: number) => world.github.issue(repo, issueOf(world, bug))?.blockedBy;

/** Bug 1 waits for bug 2, which only some may see, so that it has no issue. */
async function waiting(turn: Cycle = cycle): Promise<Stage> {
  const world = stage();
  alice(world).file({ summary: 'Waits' });
  alice(world).file({ summary: 'Secret', groups: ['security'] });
  alice(world).change(1, { depends_on: { add: [2] } });
  await run(world, 3, turn);
  expect(blockersOf(world, 1)).toEqual([]);
  return world;
}

async function targetComes(turn: Cycle): Promise<Stage> {
  const world = await waiting(turn);
  world.tracker.unhide(2);
  await run(world, 4, turn);
  return world;
}

describe('a target that gets its issue later', () => {
  test('blocks from then on, although nobody touched the bug that waits, and is named in the table', async () => {
    const world = await targetComes(cycle);
    expect(blockersOf(world, 1)).toEqual([issueOf(world, 2)]);
    expect(world.github.issue(repo, issueOf(world, 1))?.body).toContain(`[bug 2](https://github.com/${repo}/issues/${issueOf(world, 2)})`);
    expect(await run(world, 2)).toBe(0);
  });

  test('is told to those that wait for it: a planted fault is caught', async () => {
    const folder = await plant({ file: 'links/mentions.ts', from: 'markDirty(context, each.id)', to: 'void link' });
    const planted: { readonly cycle: Cycle } = await import(/* @vite-ignore */ `${folder}/sync/cycle.ts`);
    const world = await targetComes(planted.cycle);
    expect(blockersOf(world, 1)).toEqual([]);
  });
});

test('a target that becomes private blocks no longer, is named no longer, and stays on the tracker', async () => {
  const world = await targetComes(cycle);
  world.tracker.hide(2);
  await run(world, 1);
  await sweep(contextOn(world, route, { limits: testLimits }), { isForced: true });
  await run(world, 3);
  expect(blockersOf(world, 1)).toEqual([]);
  expect(world.github.issue(repo, issueOf(world, 1))?.body).not.toContain('bug 2');
  expect(world.tracker.bug(1)?.depends_on).toEqual([2]);
});

test('a circle that both sides make together is refused, kept where it stood, and not tried for ever', async () => {
  const world = stage();
  for (const summary of ['One', 'Two']) alice(world).file({ summary });
  await run(world, 2);
  alice(world).change(1, { depends_on: { add: [2] } });
  world.github.as('mona').block(repo, issueOf(world, 2), issueOf(world, 1));
  await run(world, 4);
  expect([blockersOf(world, 1), blockersOf(world, 2)]).toEqual([[], [issueOf(world, 1)]]);
  expect([world.tracker.bug(1)?.depends_on, world.tracker.bug(2)?.depends_on]).toEqual([[2], []]);
  expect(await run(world, 3)).toBe(0);
});
