import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from '../simulation/oracle.ts';
import { noActions, people } from '../simulation/world/people.ts';
import { random } from '../support/random.ts';
import { pause, type Running, start } from './process.ts';
import { type Served, serve } from './world.ts';

/**
 * I4: SIGTERM in the middle of writes. Requests in flight are finished and recorded, so that unlike after a kill
 * nothing is left in doubt; nothing further is begun; and the process ends.
 */
const stops = 8;
const answerMs = 400;
const seed = Number(process.env['SEED'] ?? 7);

let served: Served;
let running: Running | null = null;

beforeAll(async () => {
  served = await serve({ answerMs });
});

afterAll(async () => {
  await running?.end('SIGKILL');
  await served.close();
});

test(`${stops} stops in mid-write leave nothing in doubt and lose nothing (seed ${seed})`, async () => {
  const draw = random(seed);
  const actions = noActions();
  const stage = served.stage();
  const crowd = people(stage, draw, actions);
  crowd.begin();
  let inFlight = 0;
  for (let stop = 0; stop < stops; stop += 1) {
    running = start(['run', '--config', served.configFile]);
    const before = served.writes();
    // How much people do must not depend on how fast this machine is.
    let acts = 6;
    for (let left = 60_000; left > 0 && served.writes() === before; left -= 20) {
      if (acts > 0 && draw.chance(0.3)) {
        crowd.act();
        acts -= 1;
      }
      await pause(20);
    }
    // The answers are late, so the first write has no answer yet.
    await pause(draw.below(answerMs / 2));
    const asked = served.writes();
    if (asked > before) inFlight += 1;
    expect(await running.end('SIGTERM'), running.output()).toBe(0);
    expect(
      served
        .stage()
        .store.outbox.sent('widget')
        .map(({ operation }) => operation.key),
      running.output(),
    ).toEqual([]);
    // Two links are written at once, and a request that has left its lane leaves.
    expect(served.writes() - asked, 'writes begun after the signal').toBeLessThanOrEqual(4);
  }
  expect(inFlight).toBeGreaterThan(stops / 2);

  running = start(['run', '--config', served.configFile]);
  // Longer than a sweep is apart.
  await served.untilQuiet(7_000, running);
  expect(await running.end('SIGTERM'), running.output()).toBe(0);
  const output = running.output();
  running = null;
  expect(violations({ ...stage, store: served.stage().store }, actions), output).toEqual([]);
}, 900_000);
