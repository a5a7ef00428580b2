import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { Route } from '../../src/model/route.ts';
import { cycle as builtCycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { plant } from '../support/plant.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { sample } from '../tiers/depth.ts';

/** A conflict names who gave each end its value, as far as both sides tell. */

const asking: Route = { ...widgetRoute, conflicts: 'ask' };

type Cycle = typeof builtCycle;

async function turn(
  { world, context, cycle }: { world: Stage; context: Context; cycle: Cycle },
  count = 1,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(61_000);
    await cycle(context, { isForced: false });
  }
}

async function pair(cycle: Cycle = builtCycle, bend: (context: Context) => Context = (same) => same) {
  const world = stage();
  world.tracker.as('bob').file({ summary: 'A bug', description: 'It fails.' });
  world.github.addUser('ada');
  world.github.allow(repo, 'ada', 'write');
  const set = { world, context: bend(contextOn(world, asking, { limits: testLimits })), cycle };
  await turn(set, 3);
  return set;
}

const conflictsOf = ({ store }: Stage) => store.findings.ofRoute('widget', 9).conflicts;
const changedOf = (world: Stage) =>
  Object.fromEntries(conflictsOf(world).map(({ field, changed }) => [field, changed]));

/** The title and the severity, changed on both sides by different people, and then something else by others. */
async function torn(cycle: Cycle = builtCycle) {
  const set = await pair(cycle);
  const { world } = set;
  world.tracker.as('bob').change(1, { summary: "Bob's" });
  world.clock.advance(5_000);
  world.tracker.as('alice').change(1, { summary: "The tracker's", severity: 'major' });
  const trackerAt = Math.floor(world.clock.now() / 1000) * 1000;
  world.clock.advance(5_000);
  world.tracker.as('bob').change(1, { url: 'https://example.test/' });
  world.tracker.as('bob').comment(1, 'Any news?');
  world.github.as('ada').edit(repo, 1, { title: "Ada's" });
  world.clock.advance(5_000);
  world.github.as('mona').edit(repo, 1, { title: "GitHub's" });
  world.github.as('mona').unlabel(repo, 1, 'severity: normal');
  world.github.as('ada').label(repo, 1, 'severity: minor');
  const githubAt = Math.floor(world.clock.now() / 1000) * 1000;
  world.clock.advance(5_000);
  world.github.as('ada').label(repo, 1, 'question');
  await turn(set, 2);
  return { found: changedOf(world), trackerAt, githubAt };
}

const seenOf = ({ found, trackerAt, githubAt }: Awaited<ReturnType<typeof torn>>) =>
  Object.entries(found).map(([field, changed]) => [
    field,
    changed?.tracker && [changed.tracker.by, changed.tracker.at - trackerAt],
    changed?.github && [changed.github.by, changed.github.at - githubAt],
  ]);

const expected = [
  ['title', ['alice', 0], ['mona', 0]],
  ['severity', ['alice', 0], ['ada', 0]],
];

test('the last who changed the very field are named, on both sides', async () => {
  expect(seenOf(await torn())).toEqual(expected);
});

test('so are they who closed both ends', async () => {
  const set = await pair();
  const { world } = set;
  world.tracker.as('alice').change(1, { status: 'RESOLVED', resolution: 'FIXED' });
  world.github.as('mona').close(repo, 1, 'not_planned');
  await turn(set, 2);
  expect(changedOf(world)).toMatchObject({ status: { tracker: { by: 'alice' }, github: { by: 'mona' } } });
});

test('both sides are asked once for each conflict, and not again while it stays as it is', async () => {
  let asked = 0;
  const set = await pair(builtCycle, (context) => ({
    ...context,
    github: {
      ...context.github,
      whoDid(...args) {
        asked += 1;
        return context.github.whoDid(...args);
      },
    },
  }));
  const { world } = set;
  world.tracker.as('alice').change(1, { summary: "The tracker's" });
  world.github.as('mona').edit(repo, 1, { title: "GitHub's" });
  await turn(set, 2);
  world.tracker.as('alice').change(1, { priority: 'High' });
  await turn(set, 2);
  expect([asked, changedOf(world)['title']?.github?.by]).toEqual([1, 'mona']);
  world.github.as('ada').edit(repo, 1, { title: "Ada's" });
  await turn(set, 2);
  expect([asked, changedOf(world)['title']?.github?.by]).toEqual([2, 'ada']);
});

test('what a side does not tell is left out, and holds nothing up', async () => {
  const set = await pair(builtCycle, (context) => ({
    ...context,
    github: {
      ...context.github,
      whoDid: () => Promise.reject(new SideError('refused', 'no answer', { side: 'github' })),
    },
    // A copy that is behind shows an older change.
    tracker: {
      ...context.tracker,
      history: async () => ({
        changes: [{ ref: 1, at: 1_000, login: 'bob@example.test', what: { title: ["Bob's"] }, was: {} }],
        unread: [],
      }),
    },
  }));
  const { world } = set;
  world.tracker.as('alice').change(1, { summary: "The tracker's" });
  world.github.as('mona').edit(repo, 1, { title: "GitHub's" });
  await turn(set, 2);
  expect(conflictsOf(world)).toMatchObject([{ field: 'title', kept: null, changed: {} }]);
});

test.each([null, 3_600_000])('a side that did not answer is asked again (after: %s ms)', async (afterMs) => {
  let asked = 0;
  let isSilent = true;
  const set = await pair(builtCycle, (context) => ({
    ...context,
    github: {
      ...context.github,
      whoDid(...args) {
        asked += 1;
        const at = afterMs === null ? null : context.clock.now() + afterMs;
        return isSilent
          ? Promise.reject(new SideError('later', 'no answer', { side: 'github', at }))
          : context.github.whoDid(...args);
      },
    },
  }));
  const { world } = set;
  world.tracker.as('alice').change(1, { summary: "The tracker's" });
  world.github.as('mona').edit(repo, 1, { title: "GitHub's" });
  await turn(set);
  world.tracker.as('alice').comment(1, 'Any news?');
  await turn(set);
  expect([changedOf(world)['title'], asked > 1]).toEqual([undefined, afterMs === null]);
  isSilent = false;
  world.clock.advance(2 * 3_600_000);
  world.tracker.as('alice').comment(1, 'Still none?');
  await turn(set, 2);
  expect(changedOf(world)['title']).toMatchObject({ tracker: { by: 'alice' }, github: { by: 'mona' } });
});

test('a conflict that the route decides by itself asks nobody', async () => {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A bug', description: 'It fails.' });
  const context = contextOn(world, { ...asking, conflicts: 'tracker' }, { limits: testLimits });
  const github = { ...context.github, whoDid: () => Promise.reject(new Error('asked')) };
  const set = { world, context: { ...context, github }, cycle: builtCycle };
  await turn(set, 3);
  world.tracker.as('alice').change(1, { summary: "The tracker's" });
  world.github.as('mona').edit(repo, 1, { title: "GitHub's" });
  await turn(set, 2);
  expect(world.github.issue(repo, 1)?.title).toBe("The tracker's");
});

const faults = [
  ['who changed another field is named', 'sync/changed-by.ts', ' && what[conflict.field] !== undefined', ''],
  ['the first who changed it is named', 'sync/changed-by.ts', 'changes.findLast(', 'changes.find('],
  ['only one side is asked', 'sync/changed-by.ts', '...(github && { github })', ''],
  [
    'who closed it is named for its title',
    'sync/changed-by.ts',
    "{ event: 'renamed', name: issue.title }",
    "{ event: 'closed', name: '' }",
  ],
  [
    'the label of another value is looked for',
    'sync/changed-by.ts',
    'labelsFor(rule, github)',
    "labelsFor(rule, 'normal')",
  ],
] as const;

test.each(
  sample(
    faults.map(([name, file, from, to]) => [name, { file, from, to }] as const),
    2,
  ),
)('a planted fault is caught: %s', async (_name, fault) => {
  const { cycle } = (await import(`${plant(fault)}/sync/cycle.ts`)) as { readonly cycle: Cycle };
  const seen = await torn(cycle).then(seenOf);
  expect(seen).not.toEqual(expected);
});
