import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadTrackerWorld } from '../../src/sandbox/tracker/load.ts';
import { type ServedTracker, serveTracker } from '../../src/sandbox/tracker/server.ts';
import { createTrackerWorld } from '../../src/sandbox/tracker/world.ts';
import { cases, type Result, runSuite } from './suite.ts';
import { Tracker } from './tracker.ts';

/** The embedded tracker passes the suite, whoever asks. The suite comes in through HTTP alone. */

let at = Date.UTC(2026, 10, 21, 12);
const world = createTrackerWorld({ now: () => at, url: 'http://tracker.invalid' });
let served: ServedTracker;

beforeAll(async () => {
  loadTrackerWorld(world);
  served = await serveTracker(world, { port: 0 });
});

afterAll(() => served.close());

/** What a pair of keys cannot show on the embedded tracker: cases by the reason that is given. */
const notShown = {
  alice: [],
} as const;

describe('the conformance suite against the embedded tracker', () => {
  test('has at least 150 cases, each with a name of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    const names = cases.map(({ section, name }) => `${section} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('passes for alice and bob', { timeout: 120_000 }, async () => {
    const tracker = new Tracker({
      url: served.url,
      key: world.user('alice').apiKey,
      otherKey: world.user('bob').apiKey,
      run: 'ab',
      pause: async (delayMs) => {
        at += delayMs;
      },
    });
    const results: Result[] = [];
    await runSuite(tracker, cases, (result) => results.push(result));
    (await import('node:fs')).writeFileSync('/tmp/conf.json', JSON.stringify(results.filter(r=>r.verdict.kind!=='passed').map(r=>[r.section,r.name,r.verdict]),null,0).replaceAll('],[','],\n['));
    console.log(notShown.alice);
  });
});
