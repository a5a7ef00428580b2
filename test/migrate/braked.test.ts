/** I6: a migration forces only what it needs for the issues that it made itself. */

import { describe, expect, test } from 'vitest';
import { forecast } from '../../src/migrate/forecast.ts';
import type { Route } from '../../src/model/route.ts';
import { contextOn, repo, type Stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { cyclesOn, importerOn, importStage, type MigrateOptions, migrateOn, oneWay } from './bench.ts';

const pairs = 24;
const limits = { ...testLimits, brakeShare: 0.1 };
const context = { limits };

/** Pairs of two people. */
async function mirrored(route: Route): Promise<Stage> {
  const world = importStage();
  for (let index = 1; index <= pairs; index += 1)
    world.tracker
      .as(index % 2 === 0 ? 'alice' : 'bob')
      .file({ summary: `Bug ${index}`, description: `It fails on ${index}.` });
  await migrateOn(world, { route, context });
  await cyclesOn(world, 3, route, context);
  return world;
}

function spoilIssues({ github }: Stage): void {
  for (const { number } of github.issues(repo))
    github.as(number % 2 === 0 ? 'mona' : 'hubot').edit(repo, number, { title: `SPAM ${number}` });
}

function spoilBugs({ tracker }: Stage): void {
  for (const { id } of tracker.bugs()) tracker.as('alice').change(id, { summary: `SPAM ${id}` });
}

function closeBugs({ tracker }: Stage): void {
  for (const { id } of tracker.bugs())
    tracker.as('alice').change(id, { status: 'RESOLVED', resolution: id % 2 === 0 ? 'WONTFIX' : 'FIXED' });
}

const changes = ({ tracker, github }: Stage) => ({
  titles: [...tracker.bugs().map(({ summary }) => summary), ...github.issues(repo).map(({ title }) => title)].filter(
    (title) => title.startsWith('SPAM'),
  ),
  closed: github.issues(repo).filter(({ number, state }) => number <= pairs && state === 'closed').length,
});

const both: Route = { ...widgetRoute, direction: 'both' };
describe('a plan that the brake refuses is not carried out by a migration', () => {
  const cases: readonly (readonly [string, Route, (world: Stage) => void, MigrateOptions])[] = [
    ['to the tracker', both, spoilIssues, {}],
    ['to GitHub', oneWay, spoilBugs, {}],
    ['closings, which go many at a time', oneWay, closeBugs, {}],
    ['through the interface', both, spoilIssues, { importer: null }],
    ['up to a limit', both, spoilIssues, { limit: 2 }],
  ];
  test.each(cases)('%s', async (_name, route, spoil, options) => {
    const world = await mirrored(route);
    spoil(world);
    // What is new dilutes nothing.
    for (let index = 1; index <= pairs * 2; index += 1)
      world.tracker.as('carol').file({ summary: `New ${index}`, description: 'It fails, too.' });
    const before = changes(world);
    const report = await migrateOn(world, { route, context, ...options });
    expect(changes(world)).toEqual(before);
    expect(report.stopped).toContain(`would change ${pairs} of ${pairs} pairs`);
    expect(world.store.refusals.ofRoute('widget')).toHaveLength(1);
  });

  test('and a rehearsal on paper counts it, and says so', async () => {
    const world = await mirrored(both);
    spoilIssues(world);
    const importer = importerOn(world);
    const migration = { context: contextOn(world, both, context), importer, numbers: 'free', limit: null } as const;
    const found = await forecast({ ...migration, tell: () => undefined }, importer, 0);
    expect(found.remainder.refusal).toContain(`would change ${pairs} of ${pairs} pairs`);
    expect(found.remainder.writes).toEqual({ tracker: pairs, github: 0 });
    expect(found.mails).toBeGreaterThanOrEqual(pairs);
    expect(found.work.import.trackerRequests).toBeGreaterThanOrEqual(pairs);
  });
});

test('what an import cannot set is set on the issues that were imported, however many they are', async () => {
  const world = await mirrored(oneWay);
  for (let index = 1; index <= pairs; index += 1) {
    const bug = world.tracker.as('carol').file({ summary: `New ${index}`, description: 'It fails, too.' });
    world.tracker.as('carol').change(bug, { status: 'RESOLVED', resolution: 'WONTFIX' });
  }
  // The closings of many in one request are refused: the cycles close them one by one.
  const importer = importerOn(world);
  const close: typeof importer.close = async () => ({ done: new Set(), failure: { kind: 'refused', why: 'No.' } });
  const report = await migrateOn(world, { context, importer: { ...importer, close } });
  expect(report).toMatchObject({ imported: pairs, stopped: null });
  const closed = world.github.issues(repo).filter(({ stateReason }) => stateReason === 'not_planned');
  expect(closed).toHaveLength(pairs);
});
