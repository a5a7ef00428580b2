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
    expect(world.github.issue(repo, issueOf(world, 1))?.body).toContain(
      `[bug 2](https://github.com/${repo}/issues/${issueOf(world, 2)})`,
    );
    expect(await run(world, 2)).toBe(0);
  });

  test('is told to those that wait for it: a planted fault is caught', async () => {
    const folder = await plant({
      file: 'sync/observe/mentions.ts',
      from: 'bug, issue)) markDirty(context, each.id)',
      to: 'bug, issue)) void each',
    });
    const planted: { readonly cycle: Cycle } = await import(`${folder}/sync/cycle.ts`);
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

/** Both sides make a circle of as many bugs together, the last part of it on GitHub. */
async function circle(turn: Cycle = cycle): Promise<Stage> {
  const world = stage();
  for (const summary of ['One', 'Two', 'Three']) alice(world).file({ summary });
  await run(world, 2, turn);
  alice(world).change(2, { depends_on: { add: [3] } });
  await run(world, 2, turn);
  alice(world).change(1, { depends_on: { add: [2] } });
  world.github.as('mona').block(repo, issueOf(world, 3), issueOf(world, 1));
  await run(world, 4, turn);
  return world;
}

test('a circle that both sides make together is refused, kept where it stood, and not tried for ever', async () => {
  const world = await circle();
  expect([blockersOf(world, 1), blockersOf(world, 3)]).toEqual([[], [issueOf(world, 1)]]);
  expect([world.tracker.bug(1)?.depends_on, world.tracker.bug(3)?.depends_on]).toEqual([[2], []]);
  expect(await run(world, 3)).toBe(0);
});

/** What GitHub refused, after somebody has opened the circle. */
async function opened(where: 'GitHub' | 'the tracker', turn: Cycle = cycle) {
  const world = await circle(turn);
  if (where === 'GitHub') world.github.as('mona').unblock(repo, issueOf(world, 3), issueOf(world, 1));
  else alice(world).change(2, { depends_on: { remove: [3] } });
  await run(world, 5, turn);
  const isQuiet = (await run(world, 3, turn)) === 0;
  return {
    blockers: [1, 2, 3].map((bug) => blockersOf(world, bug)),
    isQuiet,
    issues: [1, 2, 3].map((bug) => issueOf(world, bug)),
  };
}

describe('what was refused because of a circle', () => {
  test('crosses when GitHub takes its part away', async () => {
    const { blockers, issues, isQuiet } = await opened('GitHub');
    expect([blockers, isQuiet]).toEqual([[[issues[1]], [issues[2]], []], true]);
  });

  test('crosses when the tracker takes away another part', async () => {
    const { blockers, issues, isQuiet } = await opened('the tracker');
    expect([blockers, isQuiet]).toEqual([[[issues[1]], [], [issues[0]]], true]);
  });

  test.each([
    [
      'GitHub',
      {
        file: 'sync/observe/observe-items.ts',
        from: "if (item.kind === 'issue') retryRefused(context, link.github, item);",
        to: '',
      },
    ],
    [
      'the tracker',
      {
        file: 'sync/perform/record.ts',
        from: "if (item?.kind === 'issue') retryRefused(context, link.github, item);",
        to: '',
      },
    ],
  ] as const)('crosses no more with a planted fault: %s', async (where, fault) => {
    const planted: { readonly cycle: Cycle } = await import(`${plant(fault)}/sync/cycle.ts`);
    expect((await opened(where, planted.cycle)).blockers[0]).toEqual([]);
  });
});
