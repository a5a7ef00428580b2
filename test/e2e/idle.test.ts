import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { openBridge, passOf } from '../../src/wire/bridge.ts';
import { repo } from '../simulation/stage.ts';
import { pause } from './process.ts';
import { type Served, serve } from './world.ts';

/** Idle cost, counted at both servers, with the real clients over HTTP. */
const served: Served[] = [];

afterEach(async () => {
  for (const each of served.splice(0)) await each.close();
});

async function bridged(bugs: number) {
  const world = await serve();
  served.push(world);
  const stage = world.stage();
  const alice = stage.tracker.as('alice');
  for (let index = 0; index < bugs; index += 1) {
    // A quiet tracker: nothing on it is younger than the overlap with which it is read again.
    const bug = alice.file({ summary: `Bug ${index}`, stampedMsAgo: 3_600_000 });
    alice.comment(bug, `Comment on ${index}`, { stampedMsAgo: 3_500_000 });
  }
  const config = loadConfig(world.configFile, {});
  const { signal } = new AbortController();
  const bridge = openBridge(config, { mode: 'write', signal, tell: () => undefined, warn: () => undefined });
  const pass = async () => {
    const [run] = await passOf(bridge, { isForced: () => false, signal });
    if (run?.kind !== 'cycle') throw new Error(`The cycle failed: ${String(run?.kind === 'failed' ? run.error : run)}`);
    return run.report;
  };
  return { world, stage, bridge, pass };
}

test('a cycle without changes costs at most two tracker requests and two GitHub requests, both answered with 304', async () => {
  const { world, stage, bridge, pass } = await bridged(30);
  expect((await pass()).applied).toBeGreaterThanOrEqual(60);
  expect(stage.github.issues(repo).length).toBe(30);
  // What the bridge wrote shows up as news once, and is seen to be its own.
  expect((await pass()).applied).toBe(0);
  // Until the last writes are older than a late comment can be (two seconds here), threads are read once more. Both the
  // stamps and the date of an answer are cut to whole seconds, and their clocks may be told a second apart.
  await pause(4_200);
  await pass();
  const before = { tracker: world.trackerRequests(), github: stage.github.requests.length };
  for (let cycle = 0; cycle < 5; cycle += 1) expect((await pass()).operations).toEqual([]);
  bridge.close();
  const github = stage.github.requests.slice(before.github);
  expect(world.trackerRequests() - before.tracker).toBeLessThanOrEqual(2 * 5);
  expect(github.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 304));
});

test('the count would show a change: one comment costs more than an idle cycle', async () => {
  const { stage, bridge, pass } = await bridged(3);
  for (let cycle = 0; cycle < 3; cycle += 1) await pass();
  const before = stage.github.requests.length;
  stage.tracker.as('alice').comment(1, 'News');
  await pass();
  bridge.close();
  expect(stage.github.requests.slice(before).map(({ method, status }) => `${method} ${status}`)).toContain('POST 201');
});

test('after a refusal, a bridge that goes on asks who it is and what it may do once more', async () => {
  const { stage, bridge, pass } = await bridged(1);
  const asked = async () => {
    const from = stage.github.requests.length;
    await pass();
    // An answer that stays is free, and words from GitHub ask each time who reads the repository.
    const counted = stage.github.requests.slice(from).filter(({ status }) => status !== 304);
    return counted.filter(({ path }) => path === '/user' || path === `/repos/${repo}`).length;
  };
  expect(await asked()).toBeGreaterThan(1);
  // The first words from GitHub.
  await pass();
  expect(await asked()).toBe(0);
  bridge.store.greetings.clear();
  expect(await asked()).toBeGreaterThan(1);
  expect(await asked()).toBe(0);
  bridge.close();
});
