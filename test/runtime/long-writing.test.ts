/** I9 and I11: a cycle with much to write ends in time for withdrawals and for other routes. */

import { expect, test } from 'vitest';
import { cyclePass, daemon } from '../../src/sync/daemon.ts';
import type { RouteRunner } from '../../src/sync/route-runner.ts';
import { contextOn, repo, type Stage, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';

const never = new AbortController().signal;
const limits = { ...testLimits, writesPerCycle: 500 };
const contextOf = (world: Stage) => contextOn(world, widgetRoute, { limits });

const runnerOf = (world: Stage): RouteRunner => ({
  ...contextOf(world),
  name: widgetRoute.name,
  isConcerned: () => true,
  context: async () => contextOf(world),
  known: () => contextOf(world),
  renew: () => undefined,
});

/** Each write on GitHub takes a second. */
function slow(world: Stage, wrote: (count: number) => void = () => undefined): { writes: number } {
  const send = world.servers.github;
  const state = { writes: 0 };
  const github: typeof fetch = async (input, init) => {
    if (!['PATCH', 'POST'].includes(init?.method ?? 'GET') || String(input).endsWith('/graphql'))
      return send(input, init);
    world.clock.advance(1_000);
    state.writes += 1;
    wrote(state.writes);
    return send(input, init);
  };
  Object.assign(world.servers, { github });
  return state;
}

async function mirrored(count: number): Promise<Stage> {
  const world = stage();
  for (let at = 1; at <= count; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  for (let turns = 0; turns < 5; turns += 1) {
    world.clock.advance(61_000);
    await cyclePass([runnerOf(world)], { isForced: () => true, signal: never });
  }
  expect(world.github.issues(repo)).toHaveLength(count);
  return world;
}

const titles = (world: Stage): readonly string[] => world.github.issues(repo).map(({ title }) => title);

test('a bug that is hidden while 200 updates are written is withdrawn within two minutes', async () => {
  const world = await mirrored(200);
  let [hiddenAt, withdrawnAt] = [0, 0];
  slow(world, (count) => {
    if (count === 10) {
      world.tracker.as('admin').change(7, { groups: { add: ['security'] } });
      hiddenAt = world.clock.now();
    }
    if (withdrawnAt === 0 && titles(world).includes('Bug 7 is not public')) withdrawnAt = world.clock.now();
  });
  for (let at = 1; at <= 200; at += 1) if (at !== 7) world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
  world.clock.advance(61_000);
  const runner = runnerOf(world);
  const cut: boolean[] = [];
  for (let turns = 0; turns < 5; turns += 1) {
    const [run] = await cyclePass([runner], { isForced: () => true, signal: never });
    cut.push(run?.kind === 'cycle' && run.report.isCut);
  }
  expect(withdrawnAt).toBeGreaterThan(0);
  expect(withdrawnAt - hiddenAt).toBeLessThan(120_000);
  expect(titles(world).filter((title) => title.startsWith('Pot'))).toHaveLength(199);
  expect(cut).toEqual([true, true, true, false, false]);
});

test('a first run plans little more in each cycle than it can write in time', async () => {
  const world = stage();
  for (let at = 1; at <= 500; at += 1) world.tracker.as('alice').file({ summary: `Pan ${at}`, description: 'Hot.' });
  world.clock.advance(3_600_000);
  slow(world);
  const context = contextOf(world);
  const runner = { ...runnerOf(world), context: async () => context, known: () => context };
  let [planned, applied] = [0, 0];
  for (let turns = 0; turns < 12; turns += 1) {
    const [run] = await cyclePass([runner], { isForced: () => true, signal: never });
    if (run?.kind !== 'cycle') continue;
    planned += run.report.plan.operations.length;
    applied += run.report.applied;
  }
  expect(world.github.issues(repo)).toHaveLength(500);
  expect(planned / applied).toBeLessThan(2);
});

test.each([
  ['as many titles', 120, 1],
  ['long threads', 6, 100],
])('one stranger with %s lets nobody wait for the next cycle', async (_name, bugs, comments) => {
  const world = stage();
  for (let at = 1; at <= bugs; at += 1) world.tracker.as('bob').file({ summary: `Pan ${at}`, description: 'Hot.' });
  const last = world.tracker.as('alice').file({ summary: 'A kettle', description: 'It leaks.' });
  const runner = runnerOf(world);
  for (let turns = 0; turns < 5; turns += 1) {
    world.clock.advance(61_000);
    await cyclePass([runner], { isForced: () => true, signal: never });
  }
  slow(world);
  for (let at = 1; at <= bugs; at += 1)
    for (let words = 0; words < comments; words += 1)
      if (comments === 1) world.tracker.as('bob').change(at, { summary: `Pot ${at}` });
      else world.tracker.as('bob').comment(at, `Word ${words}.`);
  world.tracker.as('alice').change(last, { summary: 'Two kettles' });
  for (let words = 0; words < 5; words += 1) world.tracker.as('alice').comment(last, `And ${words}.`);
  world.clock.advance(61_000);
  await cyclePass([runner], { isForced: () => true, signal: never });
  expect(titles(world)).toContain('Two kettles');
  const issue = world.github.issues(repo).find(({ title }) => title === 'Two kettles');
  expect(world.github.commentsOf(repo, issue?.number ?? 0)).toHaveLength(5);
});

test('eighty accounts that change their issues in each cycle let somebody else wait for one', async () => {
  const world = stage();
  const people = Array.from({ length: 80 }, (_none, at) => `storm-${at + 1}`);
  for (const login of people) world.github.addUser(login);
  for (const login of [...people, 'mona'])
    world.github.as(login).open(repo, { title: `Pan of ${login}`, body: 'Hot.' });
  const send = world.servers.tracker;
  let isSlow = false;
  const tracker: typeof fetch = async (input, init) => {
    if (isSlow && init?.method === 'PUT') world.clock.advance(1_000);
    return send(input, init);
  };
  Object.assign(world.servers, { tracker });
  const runner = runnerOf(world);
  const context = contextOf(world);
  const turn = async () => {
    world.clock.advance(61_000);
    await cyclePass([{ ...runner, context: async () => context }], { isForced: () => true, signal: never });
  };
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(world.tracker.bugs()).toHaveLength(81);
  isSlow = true;
  world.github.as('mona').edit(repo, 81, { title: 'Two kettles' });
  for (let turns = 0; turns < 2; turns += 1) {
    for (const [at, login] of people.entries())
      world.github.as(login).edit(repo, at + 1, { title: `Pot ${turns} of ${login}` });
    await turn();
  }
  expect(world.tracker.bugs().map(({ summary }) => summary)).toContain('Two kettles');
});

test('a route with much to write lets another one have its turn, and goes on at once', async () => {
  const world = await mirrored(150);
  const state = slow(world);
  for (let at = 1; at <= 150; at += 1) world.tracker.as('alice').change(at, { summary: `Pot ${at}` });
  world.clock.advance(61_000);
  const turns: number[] = [];
  const other: RouteRunner = {
    ...runnerOf(world),
    name: 'other',
    context: async () => {
      turns.push(state.writes);
      throw new Error('nothing to do');
    },
  };
  const running = daemon({
    runners: [runnerOf(world), other],
    times: { poll: '* * * * *', sweep: '0 3 * * *' },
    schedule: () => ({ stop: async () => undefined, nextAt: () => null, hasPassedSince: () => false }),
    isForced: true,
    signal: never,
    ran: () => undefined,
  });
  await expect
    .poll(() => titles(world).filter((title) => title.startsWith('Pot')).length, { timeout: 60_000 })
    .toBe(150);
  await running.stop();
  expect(turns.length).toBeGreaterThan(2);
  expect(turns[0]).toBeLessThan(70);
});
