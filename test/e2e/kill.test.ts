import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../simulation/oracle.ts';
import { noActions, people } from '../simulation/world/people.ts';
import { random } from '../support/random.ts';
import { pause, type Running, start } from './process.ts';
import { type Served, serve } from './world.ts';

/**
 * I3 and I4: the built process over real HTTP, killed with SIGKILL at random moments while people edit both sides.
 * Afterwards the simulation's oracle looks at both worlds: exactly one counterpart of everything, and no edit missing.
 */
const kills = 50;
const seed = Number(process.env['SEED'] ?? 20261121);

let served: Served;
let running: Running | null = null;

beforeAll(async () => {
  served = await serve({ listLagMs: 1_200, answerMs: 80 });
});

afterAll(async () => {
  await running?.end('SIGKILL');
  await served.close();
});

test(`${kills} kills at random moments double nothing and lose nothing (seed ${seed})`, {
  timeout: 900_000,
}, async () => {
  const draw = random(seed);
  const actions = noActions();
  const stage = served.stage();
  const crowd = people(stage, draw, actions);
  crowd.begin();
  let inMidWrite = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    // People edit while it is down, too: how much they do must not depend on how fast this machine is.
    for (let left = 4; left > 0; left -= 1) crowd.act();
    running = start(['run', '--config', served.configFile]);
    const before = served.writes();
    // Some die while they start, some while they read, and most soon after they began to write, however slow the
    // machine is.
    const isToWrite = draw.chance(0.7);
    let acts = 6;
    for (let left = isToWrite ? 60_000 : draw.below(900); left > 0; left -= 60) {
      if (acts > 0 && draw.chance(0.5)) {
        crowd.act();
        acts -= 1;
      }
      await pause(60);
      if (isToWrite && served.writes() > before) break;
    }
    if (isToWrite) await pause(draw.below(250));
    if (served.writes() > before) inMidWrite += 1;
    expect(await running.end('SIGKILL'), running.output()).toBe(null);
  }
  expect(inMidWrite, 'kills of a process that had begun to write').toBeGreaterThan(kills / 3);

  running = start(['run', '--config', served.configFile]);
  // Longer than what is in doubt takes to settle, and than a sweep is apart. What a server refuses, as dependencies
  // that people made into a circle, every sweep tries once more, and changes nothing.
  await served.untilQuiet(9_000, running);
  expect(await running.end('SIGTERM'), running.output()).toBe(0);
  const output = running.output();
  running = null;
  const found = violations({ ...stage, store: served.stage().store }, actions);
  expect(found, output).toEqual([]);
  expect(actions.bugComments.size + actions.issueComments.size, 'comments that were looked for').toBeGreaterThan(20);
});
