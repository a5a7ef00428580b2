import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { linkId } from '../../src/model/ids.ts';
import { noFaults } from '../../src/sandbox/server/faults.ts';
import { cycle } from '../../src/sync/cycle.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

/**
 * I6: a backfill of 200 bugs against a GitHub that allows 20 creations a minute and 120 an hour, on a virtual clock.
 * GitHub itself is the judge: it answers with a limit at the first creation too many, and the requests it kept tell how
 * often.
 */
const perMinute = 20;
const perHour = 120;
const allowances = [
  { windowMs: 60_000, pointsMax: perMinute, name: 'creations a minute' },
  { windowMs: 3_600_000, pointsMax: perHour, name: 'creations an hour' },
];

function scenario(): { world: Stage; start: () => Context; creationsWithin: (windowMs: number) => number } {
  const world = stage();
  world.github.limits.creationsPerMinute = perMinute;
  world.github.limits.creationsPerHour = perHour;
  const alice = world.tracker.as('alice');
  for (let index = 0; index < 200; index += 1) alice.file({ summary: `Old bug ${index}` });
  world.clock.advance(24 * 3_600_000);
  const start = () =>
    contextOn(world, widgetRoute, {
      limits: { ...testLimits, writesPerCycle: 50 },
      allowances: { github: allowances },
    });
  return {
    world,
    start,
    creationsWithin: (windowMs) =>
      most(
        world.github.creations.map(({ at }) => at),
        windowMs,
      ),
  };
}

/** The largest number of times that lie within one window. */
function most(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((end) => times.filter((at) => at <= end && at > end - windowMs).length));
}

const refusals = (world: Stage) =>
  world.github.requests.filter(({ status }) => status === 403 || status === 429).length;

async function minutes(world: Stage, context: Context, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await cycle(context, { isForced: false });
    world.clock.advance(60_000);
  }
}

test('a backfill stays within the minute and the hour, also over a restart, and is finished when the budget allows', async () => {
  const { world, start, creationsWithin } = scenario();
  await minutes(world, start(), 4);
  expect(world.github.creations.length).toBe(80);
  // The process starts again; only the database knows what was spent.
  await minutes(world, start(), 20);
  expect(world.github.creations.length).toBe(perHour);
  expect(creationsWithin(60_000)).toBeLessThanOrEqual(perMinute);
  await minutes(world, start(), 60);
  expect(world.github.issues(repo).length).toBe(200);
  expect(creationsWithin(3_600_000)).toBeLessThanOrEqual(perHour);
  expect(refusals(world)).toBe(0);
});

test('what changes live overtakes the backfill', async () => {
  const { world, start } = scenario();
  const context = start();
  await minutes(world, context, 3);
  const before = world.github.issues(repo).length;
  const bug = world.tracker.as('bob').file({ summary: 'Filed while the backfill runs' });
  await minutes(world, context, 1);
  const titles = world.github.issues(repo).map(({ title }) => title);
  expect(titles.indexOf('Filed while the backfill runs'), `bug ${bug} comes first of the new issues`).toBe(before);
});

test('a used-up hour stops creations only: comments from GitHub and changes of existing issues go on', async () => {
  const { world, start } = scenario();
  const context = start();
  await minutes(world, context, 20);
  expect(world.github.creations.length).toBe(perHour);
  const issue = world.github.issues(repo)[0]?.number ?? 0;
  world.github.as('mona').comment(repo, issue, 'Any news?');
  world.tracker.as('alice').change(1, { summary: 'A better title' });
  await minutes(world, context, 2);
  expect(
    world.tracker
      .commentsOf(1)
      .map(({ text }) => text)
      .join(),
  ).toContain('Any news?');
  expect(world.github.issue(repo, issue)?.title).toBe('A better title');
  expect(world.github.creations.length).toBe(perHour);
});

test('a rate that rises meets each limit once, and what waited behind the refused request is not sent', async () => {
  const { world } = scenario();
  const rising = [
    { windowMs: 60_000, pointsMax: 10, risesTo: 80, name: 'creations a minute' },
    { windowMs: 3_600_000, pointsMax: 60, risesTo: 500, name: 'creations an hour' },
  ];
  const context = contextOn(world, widgetRoute, { limits: testLimits, allowances: { github: rising } });
  for (let minute = 0; minute < 60; minute += 1) {
    const pause = world.store.budgets.backoffOf('github', world.clock.now());
    await minutes(world, context, pause === null ? 1 : 0);
    if (pause !== null) world.clock.advance(60_000);
  }
  expect(world.github.creations.length).toBeGreaterThan(60);
  expect(refusals(world)).toBeGreaterThan(0);
  expect(refusals(world)).toBeLessThanOrEqual(2);
});

test('without allowances GitHub would have refused: the test can fail', async () => {
  const { world } = scenario();
  await minutes(world, contextOn(world, widgetRoute, { limits: testLimits }), 2);
  expect(refusals(world)).toBeGreaterThan(0);
});

test('what becomes due while a cycle runs does not go beyond its limit', async () => {
  const world = stage();
  const alice = world.tracker.as('alice');
  const pass = async (writesPerCycle: number): Promise<number> => {
    const before = world.calls.length;
    await cycle(contextOn(world, widgetRoute, { limits: { ...testLimits, writesPerCycle } }), { isForced: false });
    return world.calls.slice(before).filter(({ method }) => method === 'comment').length;
  };
  const [one, other] = [alice.file({ summary: 'It fails' }), alice.file({ summary: 'It leaks' })];
  for (let count = 0; count < 3; count += 1) {
    world.clock.advance(61_000);
    await pass(10);
  }
  alice.comment(one, 'Still fails.');
  world.faults = (side, cost) =>
    side === 'github' && cost === 'create'
      ? { kind: 'status', status: 503, isHtml: false, after: false }
      : { kind: 'none' };
  const held = () => world.store.outbox.ofLink(linkId(1), 'planned')[0]?.notBeforeAt ?? 0;
  for (let count = 0; count < 4 && held() <= world.clock.now(); count += 1) {
    world.clock.advance(61_000);
    await pass(10);
  }
  world.faults = noFaults;
  world.github.as('mona').comment(repo, 1, 'I see it, too.');
  for (const words of ['Still leaks.', 'And more.']) alice.comment(other, words);
  world.clock.advance(held() - world.clock.now() - 500);
  // The last question before the writes.
  world.between = (_side, method) => {
    if (method === 'standing') world.clock.advance(1_000);
  };
  expect(await pass(2)).toBe(2);
  expect(await pass(2)).toBe(2);
});
