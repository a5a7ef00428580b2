/** What a command began on a whole route, and how far it is, also after it was interrupted. */

import { expect, test } from 'vitest';
import { statusOf } from '../../src/explain/route-status.ts';
import { writeCutoverNotices } from '../../src/migrate/cutover/notice.ts';
import { migrate } from '../../src/migrate/migrate.ts';
import type { Migration } from '../../src/migrate/migration.ts';
import { undertaking } from '../../src/migrate/undertaking.ts';
import { SideError } from '../../src/model/outcome.ts';
import type { RouteStatus } from '../../src/model/route-status.ts';
import { cyclesOn, importStage, migratedUntil, migrateOn, oneWay } from '../migrate/bench.ts';
import { contextOn, type Stage } from '../simulation/stage.ts';
import { testLimits } from '../support/routes.ts';

const bugs = 12;
const statusIn = ({ store, clock }: Stage) => statusOf(store, oneWay, { tracker: [], github: [] }, clock.now());

test('imports are no requests in doubt, and are counted, not listed', async () => {
  const world = await migratedUntil('adopting', bugs);
  world.clock.advance(120_000);
  const status = statusIn(world);
  expect(status).toMatchObject({ standing: 'catching up', doubts: [], imported: bugs });
  expect(status.progress).toEqual({ mirrored: bugs, total: bugs, writes: 0 });
  expect(status.verdict.counts).toMatch(
    /12 imported issues to be read back, a migration was interrupted: run bugferry migrate/,
  );
  expect(status.verdict.counts).not.toMatch(/in doubt|first full read/);
});

test('the total stays the same while a migration is under way, and what is mirrored grows', async () => {
  const world = importStage();
  for (let index = 1; index <= bugs; index += 1)
    world.tracker.as('alice').file({ summary: `Bug ${index}`, description: 'It fails.' });
  world.clock.advance(86_400_000);
  const seen: RouteStatus[] = [];
  const run: typeof migrate = (migration) =>
    migrate({
      ...migration,
      tell: ({ phase }: { phase?: string }) => void (phase === 'reading' || seen.push(statusIn(world))),
    } as Migration);
  await migrateOn(world, { run });
  const importing = seen.slice(2);
  expect(new Set(importing.map(({ progress }) => progress.total))).toEqual(new Set([bugs]));
  const mirrored = importing.map(({ progress }) => progress.mirrored);
  expect(mirrored).toEqual(mirrored.toSorted((one, other) => one - other));
  expect(importing.some(({ verdict }) => verdict.counts.includes('a migration is under way'))).toBe(true);
});

test('a migration that ended is forgotten, and so is one that the cycles finished', async () => {
  const world = await migratedUntil('finishing', bugs);
  expect(statusIn(world).undertakings).toHaveLength(1);
  await cyclesOn(world, 4);
  expect(statusIn(world).verdict.counts).not.toContain('migration');
  await migrateOn(world);
  expect(statusIn(world).undertakings).toEqual([]);
});

test('half a cutover is not in step, until it is done or taken back', async () => {
  const world = await migratedUntil('finishing', bugs);
  await migrateOn(world);
  await cyclesOn(world, 3);
  const context = contextOn(world, oneWay, { limits: testLimits });
  const migration: Migration = { context, importer: null, numbers: 'free', limit: null, tell: () => undefined };
  const leave = { addsComment: false, closing: { status: 'RESOLVED', resolution: 'WONTFIX' } };
  const run = (tell: Migration['tell']) =>
    undertaking(context, { kind: 'cutover', isDone: () => true }, () =>
      writeCutoverNotices({ ...migration, tell }, leave),
    );
  let steps = 0;
  const died = run((event) => {
    steps += event.kind === 'progress' ? 1 : 0;
    if (steps > 3) throw new SideError('later', 'down', { side: 'tracker' });
  });
  await expect(died).rejects.toThrow('down');
  const status = statusIn(world);
  expect(status).toMatchObject({ standing: 'catching up', isInStep: false });
  expect(status.verdict.counts).toMatch(
    /a cutover was interrupted \(\d+ bugs of 12 pairs closed\): run bugferry cutover/,
  );
  await run(() => undefined);
  expect(statusIn(world)).toMatchObject({ undertakings: [] });
});
