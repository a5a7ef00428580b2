/** The state file is removed or replaced while the bridge has it open: what it knows is kept, and it does no more. */

import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { openStore } from '../../src/store/open.ts';
import { cyclePass } from '../../src/sync/daemon.ts';
import { contextOn, stage } from '../simulation/stage.ts';
import { testLimits, widgetRoute } from '../support/routes.ts';
import { scrub } from '../support/scrub.ts';

let folder: string;
let file: string;
let store: Store;
const opened = (): Store => openStore(file, { mode: 'write', now: () => 5, scrub });
const pausesIn = (path: string): unknown => {
  const copy = openStore(path, { mode: 'copy', now: () => 5, scrub });
  const found = ['before', 'after'].map((route) => copy.pauses.of(route)?.why);
  copy.close();
  return found;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-test-'));
  file = join(folder, 'state.db');
  store = opened();
  store.pauses.save('before', { at: 1, why: 'one' });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const remove = (suffixes: readonly string[]): void => {
  for (const suffix of suffixes) rmSync(`${file}${suffix}`, { force: true });
};

test.each([
  ['the file', () => remove([''])],
  ['the file and its log', () => remove(['', '-wal', '-shm'])],
  ['the file, moved away', () => renameSync(file, join(folder, 'elsewhere.db'))],
] as const)('%s is removed: it is written again', (_what, act) => {
  store.assertInPlace();
  act();
  store.pauses.save('after', { at: 2, why: 'two' });
  for (let times = 0; times < 2; times += 1)
    expect(() => store.assertInPlace()).toThrow(/was removed while the bridge ran.*restart the bridge/u);
  expect(pausesIn(file)).toEqual(['one', 'two']);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('an older file takes its place: what the bridge knew is beside it', () => {
  const older = join(folder, 'older.db');
  copyFileSync(file, older);
  renameSync(older, file);
  store.pauses.save('after', { at: 2, why: 'two' });
  expect(() => store.assertInPlace()).toThrow(/was replaced while the bridge ran.*state\.db\.replaced-/u);
  const kept = readdirSync(folder).filter((name) => name.includes('.replaced-'));
  expect(kept.map((name) => pausesIn(join(folder, name)))).toEqual([['one', 'two']]);
});

test('a state in memory is always in its place', () => {
  const inMemory = openStore(':memory:', { mode: 'write', now: () => 5, scrub });
  inMemory.assertInPlace();
  inMemory.close();
});

test('a route whose state is gone asks neither side', async () => {
  const world = stage();
  world.tracker.as('alice').file({ summary: 'A kettle' });
  const context = contextOn(world, widgetRoute, { limits: testLimits });
  const requests: string[] = [];
  for (const side of ['tracker', 'github'] as const)
    Object.assign(world.servers, { [side]: async () => requests.push(side) });
  rmSync(file);
  const runner = {
    ...{ ...context, store: { ...context.store, assertInPlace: () => store.assertInPlace() } },
    name: 'widget',
    isConcerned: () => true,
    context: async () => context,
    known: () => context,
    renew: () => undefined,
  };
  const runs = await cyclePass([runner], { isForced: () => false, signal: new AbortController().signal });
  expect(runs).toMatchObject([{ kind: 'failed', error: { name: 'StateUnusable' } }]);
  expect(requests).toEqual([]);
  expect(context.store.failures.ofRoute('widget')).toMatchObject([{ kind: 'state' }]);
});
