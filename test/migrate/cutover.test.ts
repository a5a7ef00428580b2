import { expect, test } from 'vitest';
import { writeCutoverNotices } from '../../src/migrate/cutover/notice.ts';
import { takeBack } from '../../src/migrate/cutover/take-back.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { cyclesOn, importStage, migrateOn, oneWay } from './bench.ts';

const bugs = 6;
const leave = { addsComment: true, closing: { status: 'RESOLVED', resolution: 'WONTFIX' } };

async function mirrored(): Promise<Stage> {
  const world = importStage();
  const alice = world.tracker.as('alice');
  for (let index = 1; index <= bugs; index += 1) alice.file({ summary: `Bug ${index}`, description: 'It fails.' });
  alice.change(2, { status: 'IN_PROGRESS' });
  await migrateOn(world);
  await cyclesOn(world, 2);
  return world;
}

const passing = (world: Stage, isDead = () => false, route = oneWay): Migration => ({
  context: contextOn(world, route, { limits: testLimits, isDead }),
  importer: null,
  numbers: 'free',
  limit: null,
  tell: () => undefined,
});

const noticesOf = ({ tracker }: Stage) =>
  tracker
    .bugs()
    .map(
      ({ id }) => tracker.commentsOf(id).filter(({ text }) => text.startsWith('This bug has moved to GitHub')).length,
    );
const statuses = ({ tracker }: Stage) => tracker.bugs().map(({ status }) => status);
const open = ({ github }: Stage) => github.issues(repo).filter(({ state }) => state === 'open').length;

/** One run that dies at its `calls`-th call, before or after it took effect. */
async function runUntil(
  world: Stage,
  calls: number,
  moment: 'before' | 'after',
  begin: (migration: Migration) => Promise<unknown> = (migration) => writeCutoverNotices(migration, leave),
): Promise<void> {
  let [left, isDead] = [calls, false];
  let died = (): void => undefined;
  const death = new Promise<null>((resolve) => {
    died = () => resolve(null);
  });
  world.between = (_side, _method, when) => {
    if (when === moment) left -= 1;
    if (left > 0 || isDead) return;
    isDead = true;
    died();
  };
  const run = begin(passing(world, () => isDead));
  await Promise.race([run, death]);
  world.between = () => undefined;
}

const deaths = [1, 2, 3, 4, 5, 6].flatMap((calls) => [[calls, 'before'] as const, [calls, 'after'] as const]);

test.each(deaths)(
  'killed at call %i (%s) and run again, every bug is told once and closed, and no issue is',
  async (calls, moment) => {
    const world = await mirrored();
    await runUntil(world, calls, moment);
    // The mirror may run in between.
    await cyclesOn(world, 2);
    expect((await writeCutoverNotices(passing(world), leave)).refused).toEqual([]);
    expect(noticesOf(world)).toEqual(Array.from({ length: bugs }, () => 1));
    expect(new Set(statuses(world))).toEqual(new Set(['RESOLVED']));
    expect(await cyclesOn(world, 3)).toEqual([]);
    expect(open(world)).toBe(bugs);
    expect(await takeBack(passing(world))).toEqual({ reopened: bugs, left: [] });
    expect(statuses(world)[1]).toBe('IN_PROGRESS');
    expect(await cyclesOn(world, 3)).toEqual([]);
    expect(open(world)).toBe(bugs);
  },
);

test.each(deaths)(
  'taking it back, killed at call %i (%s) and run again, gives each bug the status that it had',
  async (calls, moment) => {
    const world = await mirrored();
    const before = statuses(world);
    await writeCutoverNotices(passing(world), leave);
    await runUntil(world, calls, moment, takeBack);
    await cyclesOn(world, 2);
    expect((await takeBack(passing(world))).left).toEqual([]);
    expect(statuses(world)).toEqual(before);
    expect(await cyclesOn(world, 3)).toEqual([]);
    expect(open(world)).toBe(bugs);
  },
);

test.each(deaths)(
  'a cut-over over a taking back that was killed at call %i (%s) forgets no status',
  async (calls, moment) => {
    const world = await mirrored();
    const before = statuses(world);
    await writeCutoverNotices(passing(world), leave);
    await runUntil(world, calls, moment, takeBack);
    await writeCutoverNotices(passing(world), leave);
    expect(new Set(statuses(world))).toEqual(new Set(['RESOLVED']));
    expect((await takeBack(passing(world))).left).toEqual([]);
    expect(statuses(world)).toEqual(before);
  },
);

test.each([
  ['before', 'not_planned'],
  ['after', 'not_planned'],
  ['before', 'completed'],
  ['after', 'completed'],
] as const)('an issue that people closed %s a cycle as %s keeps its bug closed', async (when, reason) => {
  const world = importStage();
  world.tracker.as('alice').file({ summary: 'Bug 1', description: 'It fails.' });
  await cyclesOn(world, 3, widgetRoute);
  await writeCutoverNotices(passing(world, undefined, widgetRoute), leave);
  await cyclesOn(world, 2, widgetRoute);
  world.clock.advance(5_000);
  world.github.as('mona').close(repo, 1, reason);
  if (when === 'after') await cyclesOn(world, 2, widgetRoute);
  await takeBack(passing(world, undefined, widgetRoute));
  await cyclesOn(world, 3, widgetRoute);
  expect([statuses(world), open(world)]).toEqual([['RESOLVED'], 0]);
});

test('a bug that people opened and closed again as it was stays closed', async () => {
  const world = await mirrored();
  await writeCutoverNotices(passing(world), leave);
  world.clock.advance(5_000);
  for (const change of [{ status: 'CONFIRMED' }, leave.closing]) {
    world.tracker.as('alice').change(3, change);
    world.clock.advance(5_000);
  }
  expect((await takeBack(passing(world))).left).toEqual(['bug 3: its status was changed since, so it stays']);
  await cyclesOn(world, 2);
  expect([statuses(world)[2], open(world)]).toEqual(['RESOLVED', bugs - 1]);
});

test('a bug that people closed or hid since the last cycle stays as they want it', async () => {
  const world = await mirrored();
  world.tracker.as('alice').change(3, { status: 'RESOLVED', resolution: 'FIXED' });
  world.tracker.hide(4);
  await writeCutoverNotices(passing(world), leave);
  expect(noticesOf(world)).toEqual([1, 1, 1, 0, 1, 1]);
  expect(world.tracker.bug(3)).toMatchObject({ status: 'RESOLVED', resolution: 'FIXED' });
  expect(world.tracker.bug(4)).toMatchObject({ status: 'CONFIRMED' });
  await takeBack(passing(world));
  expect(statuses(world)).toEqual(['CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
});

type Patch = Parameters<ReturnType<Stage['tracker']['as']>['change']>[1];

/** People change bug 3 right before the cutover closes it. */
async function overtaken(patch: Patch): Promise<Stage> {
  const world = await mirrored();
  let updates = 0;
  world.between = (_side, method, when) => {
    if (method !== 'update' || when !== 'before') return;
    updates += 1;
    if (updates === 3) world.tracker.as('alice').change(3, patch);
  };
  expect(await writeCutoverNotices(passing(world), leave)).toMatchObject({ written: bugs, refused: [] });
  world.between = () => undefined;
  return world;
}

test.each<[string, Patch, object]>([
  ['as fixed', { status: 'RESOLVED', resolution: 'FIXED' }, { status: 'RESOLVED', resolution: 'FIXED' }],
  ['as a duplicate', { dupe_of: 1 }, { status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: 1 }],
  ['as the cutover does', leave.closing, leave.closing],
])('a bug that people close %s right before stays closed so', async (_how, patch, shown) => {
  const world = await overtaken(patch);
  expect(noticesOf(world)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(world.tracker.bug(3)).toMatchObject(shown);
  await cyclesOn(world, 2);
  await takeBack(passing(world));
  await cyclesOn(world, 2);
  expect(world.tracker.bug(3)).toMatchObject(shown);
  expect([statuses(world)[2], open(world)]).toEqual(['RESOLVED', bugs - 1]);
});

test('a bug that people begin to work on right before is given back as they left it', async () => {
  const world = await overtaken({ status: 'IN_PROGRESS' });
  expect(statuses(world)).toEqual(Array.from({ length: bugs }, () => 'RESOLVED'));
  await takeBack(passing(world));
  expect(statuses(world)[2]).toBe('IN_PROGRESS');
});

test('a migration after a cut-over closes no issue', async () => {
  const world = await mirrored();
  await writeCutoverNotices(passing(world), leave);
  await migrateOn(world);
  await cyclesOn(world, 2);
  expect(open(world)).toBe(bugs);
  expect((await takeBack(passing(world))).left).toEqual([]);
  expect(statuses(world)[1]).toBe('IN_PROGRESS');
});

test('bugs that the tracker refuses one by one stop nobody, when the first of them is closed', async () => {
  const world = await mirrored();
  const refusing = (isRefused: (bug: number) => boolean): Migration => {
    const migration = passing(world);
    const { tracker } = migration.context;
    const update: typeof tracker.update = async (seen, patch) =>
      isRefused(seen.id) ? { kind: 'refused', why: `Bug ${seen.id} needs a value` } : tracker.update(seen, patch);
    return { ...migration, context: { ...migration.context, tracker: { ...tracker, update } } };
  };
  expect(
    await writeCutoverNotices(
      refusing(() => true),
      leave,
    ),
  ).toEqual({
    ...{ written: 0, already: 0 },
    refused: [
      expect.stringMatching(/first 3 bugs .* RESOLVED\/WONTFIX, so no other was asked.*--status.*Bug 3 needs a value/),
    ],
  });
  expect(
    (
      await writeCutoverNotices(
        refusing((bug) => bug > 1),
        leave,
      )
    ).refused,
  ).toHaveLength(bugs - 1);
});

test('a lost answer is looked for before the bug is told again', async () => {
  const world = await mirrored();
  let lost = 0;
  world.faults = (side, cost) => {
    if (side !== 'tracker' || cost !== 'edit' || lost >= 2) return { kind: 'none' };
    lost += 1;
    return { kind: 'drop', after: lost === 1 };
  };
  const { refused } = await writeCutoverNotices(passing(world), leave);
  expect({ refused, lost }).toEqual({ refused: [], lost: 2 });
  expect(noticesOf(world)).toEqual(Array.from({ length: bugs }, () => 1));
});
