/** Comments tagged on the tracker: their copies on GitHub are minimized, and shown again. */

import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/model/route.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const route: Route = { ...widgetRoute, visibilityCheck: 'anonymous' };

interface Engine {
  readonly cycle: typeof cycle;
  readonly sweep: typeof sweep;
}
const engine: Engine = { cycle, sweep };

/** Nothing tells of tags but reading: the sweep notices, and the cycles after it act. */
async function run(world: Stage, { cycle: turn, sweep: walk }: Engine = engine): Promise<void> {
  const context = contextOn(world, route, { limits: testLimits, user: 'bridge-insider' });
  for (let index = 0; index < 4; index += 1) {
    world.clock.advance(61_000);
    await turn(context, { isForced: false });
    if (index === 1) await walk(context, { isForced: true });
  }
}

async function mirrored(
  text = 'Buy this',
  on: Engine = engine,
): Promise<{ readonly world: Stage; readonly comment: number }> {
  const world = stage();
  const bug = world.tracker.as('alice').file({ summary: 'A', description: 'B' });
  const comment = world.tracker.as('alice').comment(bug, text);
  await run(world, on);
  return { world, comment };
}

const minimizedAs = (world: Stage) => world.github.commentsOf(repo, 1).map(({ minimized }) => minimized);
const minimized = ({ calls }: Stage) => calls.filter(({ method }) => method === 'minimize').length;
const tag = (world: Stage, comment: number, change: { add?: readonly string[]; remove?: readonly string[] }) =>
  world.tracker.as('admin').tag(comment, change);

describe('the copy of a tagged comment', () => {
  test.each([
    ['Spam', 'spam'],
    ['obsolete', 'outdated'],
    ['off-topic', 'off-topic'],
    ['good-first-bug', null],
  ])('tagged %s is minimized as %s, with one write, and shown again when the tag goes', async (name, minimize) => {
    const { world, comment } = await mirrored();
    tag(world, comment, { add: [name] });
    await run(world);
    expect([minimizedAs(world), minimized(world)]).toEqual([[minimize], minimize === null ? 0 : 1]);
    await run(world);
    expect(minimized(world)).toBe(minimize === null ? 0 : 1);
    tag(world, comment, { remove: [name] });
    await run(world);
    expect([minimizedAs(world), minimized(world)]).toEqual([[null], minimize === null ? 0 : 2]);
  });

  test('is minimized after it was made, where the tag was there first', async () => {
    const world = stage();
    const bug = world.tracker.as('alice').file({ summary: 'A', description: 'B' });
    tag(world, world.tracker.as('alice').comment(bug, 'Buy this'), { add: ['spam'] });
    await run(world);
    expect([minimizedAs(world), minimized(world)]).toEqual([['spam'], 1]);
  });

  test('is minimized in all of its parts', async () => {
    const { world, comment } = await mirrored(`Buy this.\n\n${'A line of a log.\n'.repeat(3_700)}`);
    tag(world, comment, { add: ['spam'] });
    await run(world);
    expect(minimizedAs(world)).toEqual(['spam', 'spam']);
  });

  test('stays as people on GitHub left it by hand', async () => {
    const { world, comment } = await mirrored();
    tag(world, comment, { add: ['spam'] });
    await run(world);
    world.github.as('mona').minimize(repo, world.github.commentsOf(repo, 1)[0]?.id ?? 0, null);
    await run(world);
    expect([minimizedAs(world), minimized(world)]).toEqual([[null], 1]);
  });

  test('is taken away where the comment is private as well, and minimized again when it comes back', async () => {
    const { world, comment } = await mirrored();
    tag(world, comment, { add: ['spam'] });
    await run(world);
    world.tracker.as('admin').change(1, { comment_is_private: { [comment]: true } });
    await run(world);
    expect(minimizedAs(world)).toEqual([]);
    world.tracker.as('admin').change(1, { comment_is_private: { [comment]: false } });
    await run(world);
    expect(minimizedAs(world)).toEqual(['spam']);
  });

  test('is written once where the answer was lost', async () => {
    const { world, comment } = await mirrored();
    tag(world, comment, { add: ['spam'] });
    let drops = 0;
    world.faults = (side, cost) =>
      side === 'github' && cost === 'edit' && drops++ < 1 ? { kind: 'drop', after: true } : { kind: 'none' };
    await run(world);
    await run(world);
    expect([minimizedAs(world), drops]).toEqual([['spam'], 1]);
  });
});

describe('a planted fault is caught', () => {
  test.each([
    { file: 'rules/comments/plan.ts', from: ' || minimize === copy.minimize', to: '' },
    { file: 'rules/comments/minimizing.ts', from: 'tag.toLowerCase()', to: 'tag' },
    {
      file: 'rules/comments/known-comment.ts',
      from: 'return minimize === known.minimize ?',
      to: 'return known.minimize !== undefined ?',
    },
    {
      file: 'sync/withdraw/check-again.ts',
      from: 'minimizeReasonOf(tags) !== commentLink.minimize',
      to: 'minimizeReasonOf(tags) === undefined',
    },
    { file: 'sync/perform/operations/minimize.ts', from: '{ minimize: operation.minimize }', to: '{}' },
  ])('$file: $from', async (fault) => {
    const folder = plant(fault);
    const [turn, walk]: [Pick<Engine, 'cycle'>, Pick<Engine, 'sweep'>] = await Promise.all([
      import(`${folder}/sync/cycle.ts`),
      import(`${folder}/sync/sweep.ts`),
    ]);
    const wrong: Engine = { cycle: turn.cycle, sweep: walk.sweep };
    const { world, comment } = await mirrored('Buy this', wrong);
    tag(world, comment, { add: ['SPAM'] });
    await run(world, wrong);
    await run(world, wrong);
    const isMinimized = minimizedAs(world)[0] === 'spam' && minimized(world) === 1;
    tag(world, comment, { remove: ['spam'] });
    await run(world, wrong);
    expect(isMinimized && minimizedAs(world)[0] === null && minimized(world) === 2).toBe(false);
  });
});
