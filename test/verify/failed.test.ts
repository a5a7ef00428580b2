import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { linesOf, untilQuiet, verified } from './mirror.ts';

/** What the bridge tried in vain, and what it has not seen yet, is a difference: nobody reads a list of what was left out on purpose for it. */
const route = { ...widgetRoute, milestones: true, dependencies: true };

const alice = (world: Stage) => world.tracker.as('alice');

/** A pair that rests; `github` is what GitHub does with what it is sent. */
async function mirrored(github: (real: Context['github']) => Partial<Context['github']> = () => ({})) {
  const world = stage();
  alice(world).file({ summary: 'It fails', target_milestone: '1.1' });
  const context = contextOn(world, route, { limits: testLimits });
  await untilQuiet(world, { ...context, github: { ...context.github, ...github(context.github) } });
  return { world, context };
}

describe('what a side did not take', () => {
  test('is a difference: a milestone', async () => {
    const { world, context } = await mirrored((real) => ({ create: ({ milestone: _dropped, ...draft }) => real.create(draft) }));
    expect(world.github.issues(repo)).toMatchObject([{ milestone: null }]);
    expect(linesOf(await verified(context))).toEqual(["1=1 milestone: milestone differs, as one side did not take the other's value"]);
  });

  test('is a difference: a dependency that would close a circle', async () => {
    const { world, context } = await mirrored();
    alice(world).file({ summary: 'Another' });
    await untilQuiet(world, context);
    alice(world).change(1, { depends_on: { add: [2] } });
    world.github.as('mona').block(repo, 2, 1);
    await untilQuiet(world, context);
    expect(linesOf(await verified(context))).toEqual([
      "1=1 dependency: dependency differs, as one side did not take the other's value",
      '2=2 dependency: dependency on bug 1 is on GitHub only',
    ]);
  });
});

test('an item newer than the last reading is a difference that says so', async () => {
  const { world, context } = await mirrored();
  world.clock.advance(5_000);
  alice(world).comment(1, 'A late word');
  alice(world).file({ summary: 'A late bug' });
  world.github.as('mona').comment(repo, 1, 'A late answer');
  world.github.as('mona').open(repo, { title: 'A late issue' });
  const late = "as it is newer than the bridge's last reading";
  const lines = linesOf(await verified(context));
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toContain(late);
  await untilQuiet(world, context);
  expect(linesOf(await verified(context))).toEqual([]);
});

const toGadget = { product: 'Gadget', component: 'Firmware', version: 'unspecified', target_milestone: '---' };

describe('a bug that leaves what its route selects', () => {
  async function left(patch: (world: Stage) => void, selection: Partial<(typeof route)['selection']> = {}) {
    const { world } = await mirrored();
    const narrow = contextOn(world, { ...route, selection: { ...route.selection, ...selection } }, { limits: testLimits });
    patch(world);
    alice(world).change(1, { summary: 'It fails at night' });
    await untilQuiet(world, narrow);
    const before = { title: world.github.issue(repo, 1)?.title, lines: linesOf(await verified(narrow)) };
    await sweep(narrow, { isForced: false });
    await untilQuiet(world, narrow);
    return { before, after: { title: world.github.issue(repo, 1)?.title, lines: linesOf(await verified(narrow)) } };
  }

  test('keeps its issue and stays in step within the product', async () => {
    const inStep = { title: 'It fails at night', lines: [] };
    const found = await left((world) => alice(world).change(1, { component: 'UI' }), { components: ['Core'] });
    expect(found).toEqual({ before: inStep, after: inStep });
  });

  test('is withdrawn in the next cycles when it moves to another product', async () => {
    const { before, after } = await left((world) => alice(world).change(1, toGadget));
    expect(before).toEqual({ title: 'Bug 1 is not public', lines: [] });
    expect(after).toEqual(before);
  });

  test('a planted fault is caught: it stays in step when it moves to another product', async () => {
    const folder = plant({ file: 'privacy/gate.ts', from: 'if (tracker.product !== selection.product)', to: 'if (false)' });
    const faulty: typeof import('../../src/sync/cycle.ts') = await import(/* @vite-ignore */ `${folder}/sync/cycle.ts`);
    const { world, context } = await mirrored();
    alice(world).change(1, toGadget);
    for (let turns = 0; turns < 4; turns += 1) {
      world.clock.advance(61_000);
      await faulty.cycle(context, { isForced: false });
    }
    expect(world.github.issue(repo, 1)?.title).toBe('It fails');
  });
});
