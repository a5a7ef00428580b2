import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse } from '../support/bugferry.ts';
import { fillGenerated } from '../support/generated-tracker.ts';
import { random } from '../support/random.ts';
import { pause } from './process.ts';

/**
 * I4: one migration as a process of its own over real HTTP, killed with SIGKILL at random moments, ends as one that was
 * left alone.
 */
const kills = 20;
const bugs = 60;
const repo = 'acme/widget';
const seed = Number(process.env['SEED'] ?? 20261121);

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
  Object.assign(opened.github.limits, { importDelaysMs: [300, 20, 1_500, 100] });
  opened.configure((config) => {
    config.routes[0].direction = 'to-github';
    // Slow enough to be killed in the middle.
    config.limits.github.pauseBetweenWritesMs = 12;
  });
  return opened;
}

/** Without numbers and ids, which follow from who came first. */
const status = ({ github }: House): readonly string[] =>
  github
    .issues(repo)
    .map(({ number, title, state, stateReason, body, labels }) => {
      const bug = /bugferry:1 test bug=(\d+)/u.exec(body)?.[1];
      const comments = github.commentsOf(repo, number).map((each) => /comment=(\d+)/u.exec(each.body)?.[1]);
      return JSON.stringify([Number(bug), title, state, stateReason, [...labels].sort(), comments]);
    })
    .sort();

test(`killed ${kills} times, a migration doubles nothing and forgets nothing (seed ${seed})`, async () => {
  const draw = random(seed);
  let inMidWrite = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, ended } = house.start('migrate', '--no-verify');
    const before = house.github.requests.length;
    // Most die while they write, some while they start or read.
    const isToWrite = draw.chance(0.8);
    for (let left = isToWrite ? 30_000 : draw.below(900); left > 0 && child.exitCode === null; left -= 20) {
      if (isToWrite && house.github.requests.slice(before).some(({ method }) => method === 'POST')) break;
      await pause(20);
    }
    if (isToWrite) await pause(draw.below(250));
    if (child.exitCode === null && isToWrite) inMidWrite += 1;
    child.kill('SIGKILL');
    await ended;
  }
  expect(inMidWrite, 'kills of a process that had begun to write').toBeGreaterThan(kills / 3);
  const last = await house.run('migrate');
  expect(last, last.err).toMatchObject({ code: 0 });
  expect(await calm.run('migrate')).toMatchObject({ code: 0 });
  expect(status(house)).toEqual(status(calm));
  const writes = house.writes();
  expect(await house.run('migrate')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/0 issues created[\s\S]*no differences/),
  });
  expect(house.writes()).toBe(writes);
}, 900_000);
