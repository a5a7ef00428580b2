import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { linesOf, untilQuiet, verified } from './mirror.ts';

/**
 * What the bridge tried in vain, and what it has not seen yet, is a difference: nobody reads a list of what was left
 * out on purpose for it.
 */
const route = { ...widgetRoute, milestones: true, dependencies: true };

const differences = async (context: Context): Promise<readonly string[]> => linesOf(await verified(context));

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
    const { world, context } = await mirrored((real) => ({
      create: ({ milestone: _dropped, ...draft }) => real.create(draft),
    }));
    expect(world.github.issues(repo)).toMatchObject([{ milestone: null }]);
    expect(await differences(context)).toEqual([
      "1=1 milestone: milestone differs, as one side did not take the other's value",
    ]);
  });

  test('is a difference: a dependency that would close a circle', async () => {
    const { world, context } = await mirrored();
    alice(world).file({ summary: 'Another' });
    await untilQuiet(world, context);
    alice(world).change(1, { depends_on: { add: [2] } });
    world.github.as('mona').block(repo, 2, 1);
    await untilQuiet(world, context);
    expect(await differences(context)).toEqual([
      "1=1 dependency: dependency differs, as one side did not take the other's value",
      '2=2 dependency: dependency on bug 1 is on GitHub only',
    ]);
  });
});

test('a bug that the tracker fails on is not judged, and nobody left it out on purpose', async () => {
  const { context } = await mirrored();
  const list: Context['tracker']['list'] = async (page) => {
    const { items, ...listing } = await context.tracker.list(page);
    return { ...listing, items: [], failed: items.map(({ id }) => ({ ref: id, why: 'HTTP 500' })) };
  };
  const { notJudged, leftOut } = await verified({ ...context, tracker: { ...context.tracker, list } });
  expect({ notJudged, leftOut }).toEqual({ notJudged: [{ about: 'bug 1', why: 'HTTP 500' }], leftOut: [] });
});

/** A comment on each side, a bug and an issue, that the bridge has not read yet. */
async function late() {
  const { world, context } = await mirrored();
  world.clock.advance(5_000);
  alice(world).comment(1, 'A late word');
  alice(world).file({ summary: 'A late bug' });
  world.github.as('mona').comment(repo, 1, 'A late answer');
  world.github.as('mona').open(repo, { title: 'A late issue' });
  return { world, context };
}

test('an item newer than the last reading is a difference that says so', async () => {
  const { world, context } = await late();
  const lines = await differences(context);
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toContain("as it is newer than the bridge's last reading");
  await untilQuiet(world, context);
  expect(await differences(context)).toEqual([]);
});

const toGadget = { product: 'Gadget', component: 'Firmware', version: 'unspecified', target_milestone: '---' };

describe('a bug that leaves what its route selects', () => {
  async function left(patch: (world: Stage) => void, selection: Partial<(typeof route)['selection']> = {}) {
    const { world } = await mirrored();
    const narrow = contextOn(
      world,
      { ...route, selection: { ...route.selection, ...selection } },
      { limits: testLimits },
    );
    patch(world);
    alice(world).change(1, { summary: 'It fails at night' });
    await untilQuiet(world, narrow);
    const before = { title: world.github.issue(repo, 1)?.title, lines: await differences(narrow) };
    await sweep(narrow, { isForced: false });
    await untilQuiet(world, narrow);
    return { before, after: { title: world.github.issue(repo, 1)?.title, lines: await differences(narrow) } };
  }

  test('keeps its issue and stays in step within the product', async () => {
    const inStep = { title: 'It fails at night', lines: [] };
    const found = await left((world) => alice(world).change(1, { component: 'UI' }), { components: ['Core'] });
    expect(found).toEqual({ before: inStep, after: inStep });
  });

  test('keeps its issue, which says so, when it moves to another product', async () => {
    const { before, after } = await left((world) => alice(world).change(1, toGadget));
    expect(before).toEqual({ title: 'It fails', lines: [] });
    expect(after).toEqual(before);
  });

  test('is a difference until then', async () => {
    const { world, context } = await mirrored();
    alice(world).change(1, toGadget);
    expect(await differences(context)).toEqual(
      expect.arrayContaining([expect.stringMatching(/moved to a product that the route does not take/u)]),
    );
  });
});
