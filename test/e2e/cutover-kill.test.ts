import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { random } from '../support/random.ts';
import { pause } from './process.ts';

/**
 * I4: the end of a tracker as a process of its own over real HTTP, killed with SIGKILL at random moments, ends as one
 * that was left alone.
 */
const kills = 10;
const bugs = 60;
const repo = 'acme/widget';
const seed = Number(process.env['SEED'] ?? 20261121);
const steps = ['cutover', '--yes', 'comment,close', '--status', 'RESOLVED/INVALID'];

let house: House;
let calm: House;

beforeAll(async () => {
  [house, calm] = [await open(), await open()];
});
afterAll(async () => {
  await house.close();
  await calm.close();
});

async function open(): Promise<House> {
  const opened = await openHouse((tracker) => fillGenerated(tracker, { count: bugs, seed: 7 }));
  opened.github.allow(repo, 'bugferry-bot', 'admin');
  opened.configure((config) => {
    config.routes[0].direction = 'to-github';
  });
  expect(await opened.run('migrate', '--no-verify')).toMatchObject({ code: 0 });
  return opened;
}

/** Slow enough to be killed in the middle, or as fast as it can. */
const pace = (requestsPerSecond: number) =>
  house.configure((config) => {
    config.routes[0].direction = 'to-github';
    config.limits.tracker.requestsPerSecond = requestsPerSecond;
  });

/** What readers of both sides see, without the numbers of issues, which follow from who came first. */
const status = ({ tracker, github }: House) => ({
  bugs: tracker
    .bugs()
    .map(({ id, status, resolution }) => [
      ...[id, status, resolution],
      ...tracker.commentsOf(id).map(({ text }) => text.replace(/\/issues\/\d+/u, '/issues/N')),
    ]),
  open: github.issues(repo).filter(({ state }) => state === 'open').length,
  said: github.issues(repo).reduce((sum, { number }) => sum + github.commentsOf(repo, number).length, 0),
});

/** Runs a command that is killed once it has begun to write, a moment later. Answers whether it was. */
async function killed(draw: ReturnType<typeof random>, args: readonly string[]): Promise<boolean> {
  const before = house.writes();
  const { child, ended } = house.start(...args);
  for (let left = 60_000; left > 0 && child.exitCode === null && house.writes() === before; left -= 20) await pause(20);
  await pause(draw.below(200));
  const isInTime = child.exitCode === null && house.writes() > before;
  child.kill('SIGKILL');
  await ended;
  return isInTime;
}

test(`killed ${kills} times, every bug is told once and closed, and all of it can be taken back (seed ${seed})`, async () => {
  const draw = random(seed);
  const begun = status(house);
  let inMidWrite = 0;
  pace(5);
  for (let kill = 0; kill < kills; kill += 1) if (await killed(draw, steps)) inMidWrite += 1;
  expect(inMidWrite, 'kills of a process that had begun to write').toBeGreaterThan(kills / 3);
  pace(1_000);
  expect(await house.run(...steps)).toMatchObject({ code: 0 });
  expect(await calm.run(...steps)).toMatchObject({ code: 0 });
  expect(status(house)).toEqual(status(calm));
  expect(status(house)).toMatchObject({ open: begun.open, said: begun.said });
  const writes = house.writes();
  expect(await house.run(...steps)).toMatchObject({ code: 0, out: expect.stringContaining(' 0 bugs updated') });
  expect(house.writes()).toBe(writes);

  pace(5);
  for (let kill = 0; kill < kills / 2; kill += 1) await killed(draw, ['cutover', '--undo']);
  pace(1_000);
  expect(await house.run('cutover', '--undo')).toMatchObject({ code: 0 });
  const statusesOf = (shown: typeof begun) => shown.bugs.map(([id, status, resolution]) => [id, status, resolution]);
  expect(statusesOf(status(house))).toEqual(statusesOf(begun));
  expect(await house.run('once', '--sweep')).toMatchObject({ code: 0 });
  expect(status(house)).toMatchObject({ open: begun.open, said: begun.said });
}, 900_000);
