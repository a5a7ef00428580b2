/** The state file is removed or replaced while the bridge has it open: what it knows is kept, and it does no more. */

import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { lockState } from '../../src/store/lock.ts';
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
  rmSync(folder, { recursive: true, force: true });
});

const cursor = { changes: null, listing: null, isComplete: true, polledAt: 1, readAt: 1, sweptAt: 1, early: [] };

const remove = (suffixes: readonly string[]): void => {
  for (const suffix of suffixes) rmSync(`${file}${suffix}`, { force: true });
};

test.each([
  ['the file', () => remove([''])],
  ['the file and its log', () => remove(['', '-wal', '-shm'])],
  ['the file, moved away', () => renameSync(file, join(folder, 'elsewhere.db'))],
  ['the folder', () => rmSync(folder, { recursive: true })],
] as const)('%s is removed: it is written again', (_what, act) => {
  store.pauses.save('after', { at: 2, why: 'two' });
  store.assertInPlace();
  act();
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

test.each([
  ['the file is cut', 'state file', 'cut short', () => truncateSync(file)],
  ['its log is cut', 'log of the state file', 'cut short', () => truncateSync(`${file}-wal`)],
  ['half of its log is cut', 'log of the state file', 'cut short', () => truncateSync(`${file}-wal`, 40_000)],
  ['its log is removed', 'log of the state file', 'removed', () => remove(['-wal'])],
] as const)('%s: what the bridge knew is in its place', (_what, of, how, act) => {
  store.pauses.save('after', { at: 2, why: 'two' });
  store.assertInPlace();
  act();
  const words = new RegExp(`The ${of} .* was ${how} while the bridge ran.*wrote it again: restart the bridge`, 'u');
  for (let times = 0; times < 2; times += 1) expect(() => store.assertInPlace()).toThrow(words);
  // Nothing more goes into what is left, also when the process ends.
  expect(() => store.pauses.save('later', { at: 3, why: 'three' })).toThrow(/readonly/u);
  store.close();
  expect(pausesIn(file)).toEqual(['one', 'two']);
  store = opened();
  store.assertInPlace();
});

test('the log is cut, and no longer in memory: the state of the last checkpoint is in its place', () => {
  const many = 'x'.repeat(100_000);
  store.close();
  store = opened();
  for (let count = 0; count < 200; count += 1) store.pauses.save(`more ${count}`, { at: 2, why: many });
  store.assertInPlace();
  truncateSync(`${file}-wal`);
  expect(() => store.assertInPlace()).toThrow(/could not be kept .* but what it knew at the last checkpoint: restart/u);
  store.close();
  expect(pausesIn(file)).toEqual(['one', undefined]);
});

test('whoever asks the state that was written again hears what became of it', () => {
  store.cursors.put('widget', 'tracker', cursor);
  store.assertInPlace();
  remove(['', '-wal', '-shm']);
  expect(() => store.assertInPlace()).toThrow();
  const reader = openStore(file, { mode: 'read', now: () => 5, scrub });
  expect(reader.failures.ofRoute('widget')).toMatchObject([
    { of: 'cycle', kind: 'state', why: expect.stringMatching(/was removed.*restart/u) },
  ]);
  reader.close();
});

test('the lock is removed: it is taken again, unless another process was faster', () => {
  remove(['.lock']);
  store.assertInPlace();
  expect(existsSync(`${file}.lock`)).toBe(true);
  expect(opened).toThrow(/Another bugferry process/u);
  remove(['.lock']);
  const release = lockState(file);
  for (let times = 0; times < 2; times += 1) expect(() => store.assertInPlace()).toThrow(/Another bugferry process/u);
  release();
  store.assertInPlace();
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
