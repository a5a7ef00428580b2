import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { bugId } from '../../src/model/ids.ts';
import { openStore } from '../../src/store/open.ts';
import { openBridge, passOf } from '../../src/wire/bridge.ts';
import { halfLink } from '../contract/store/samples.ts';
import { serve } from '../e2e/world.ts';
import { kill, startVictim, stateFile } from '../store/files.ts';
import { scrub } from '../support/scrub.ts';

/** How often the log was brought to the disk by itself, and what happens when a request leaves. */
const seen = { settled: 0, isBroken: false, leaves: () => {} };

const { fdatasyncSync } = fs;
const { request } = http;

beforeAll(() => {
  fs.fdatasyncSync = (file) => {
    if (seen.isBroken) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'fdatasync' });
    fdatasyncSync(file);
    seen.settled += 1;
  };
  http.request = (...args: readonly unknown[]) => {
    seen.leaves();
    return Reflect.apply(request, http, args);
  };
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(fs, { fdatasyncSync });
  Object.assign(http, { request });
  syncBuiltinESMExports();
});

beforeEach(() => Object.assign(seen, { settled: 0, isBroken: false, leaves: () => {} }));

const turn = () => new Promise((resolve) => setImmediate(resolve));

function opened(file = stateFile()) {
  const store = openStore(file, { mode: 'write', now: () => 1_000, scrub });
  onTestFinished(() => store.close());
  const write = (bug: number) => store.transaction(() => store.links.add(halfLink(bug)));
  return { store, write };
}

describe('work without hurry', () => {
  test('waits for the disk once for all that it writes without a wait', async () => {
    const { store, write } = opened();
    await store.unhurried(async () => {
      for (const bug of [1, 2, 3]) write(bug);
      await turn();
      expect(seen.settled).toBe(1);
      await turn();
      expect(seen.settled).toBe(1);
    });
    expect(seen.settled).toBe(1);
  });

  test('waits for the disk before a request leaves, and not twice', async () => {
    const { store, write } = opened();
    await store.unhurried(async () => {
      write(1);
      for (const _request of [1, 2]) store.flush();
      expect(seen.settled).toBe(1);
      write(2);
      store.flush();
      expect(seen.settled).toBe(2);
      await turn();
    });
    expect(seen.settled).toBe(2);
  });

  test('leaves nothing behind that a power cut would take, whether it ends or fails', async () => {
    const { store, write } = opened();
    await store.unhurried(async () => write(1));
    expect(seen.settled).toBe(1);
    const failing = store.unhurried(async () => {
      write(2);
      throw new Error('a fault');
    });
    await expect(failing).rejects.toThrow('a fault');
    expect(seen.settled).toBe(2);
  });

  test('ends with the last of several, and from then on each commit waits by itself', async () => {
    const { store, write } = opened();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = store.unhurried(() => promise);
    await store.unhurried(async () => write(1));
    write(2);
    store.flush();
    expect(seen.settled).toBe(2);
    resolve();
    await long;
    write(3);
    store.flush();
    await turn();
    expect(seen.settled).toBe(2);
  });

  test('what the disk refuses is owed until it takes it', async () => {
    const { store, write } = opened();
    await store.unhurried(async () => {
      seen.isBroken = true;
      write(1);
      await turn();
      expect(() => store.flush()).toThrow('EIO');
      seen.isBroken = false;
      store.flush();
      expect(seen.settled).toBe(1);
    });
  });

  test('finds the log of a state that a link names, and waits for it when the state is closed', async () => {
    const file = stateFile();
    opened(file).store.close();
    fs.renameSync(file, `${file}.real`);
    fs.symlinkSync(`${file}.real`, file);
    const { store, write } = opened(file);
    const work = store.unhurried(async () => {
      write(1);
      store.close();
      expect(seen.settled).toBe(1);
    });
    await expect(work).rejects.toThrow('not open');
  });

  test('survives a kill before it has waited', async () => {
    const file = stateFile();
    await kill(await startVictim(file, 'unhurried'));
    expect(opened(file).store.links.byBug(bugId(2))).not.toBeNull();
  });
});

test('no request of a cycle leaves before all that is stored is on the disk', async () => {
  const world = await serve();
  onTestFinished(() => world.close());
  const alice = world.stage().tracker.as('alice');
  for (const summary of ['Kettle whistles', 'Lid is loose']) alice.comment(alice.file({ summary }), 'And how');
  const { signal } = new AbortController();
  const config = loadConfig(world.configFile, {});
  const { store, ...bridge } = openBridge(config, { mode: 'write', signal, tell: () => {}, warn: () => {} });
  onTestFinished(() => bridge.close());
  let [requests, late] = [0, 0];
  seen.leaves = () => {
    const before = seen.settled;
    store.flush();
    requests += 1;
    late += seen.settled - before;
  };
  const [run] = await passOf({ ...bridge, store }, { isForced: () => false, signal });
  expect(run).toMatchObject({ kind: 'cycle', report: { applied: 4 } });
  expect(requests).toBeGreaterThan(8);
  expect(seen.settled).toBeGreaterThanOrEqual(4);
  expect(late).toBe(0);
});
