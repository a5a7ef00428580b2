import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { troubleLog } from '../../../src/cli/run/log-troubles.ts';
import type { Route } from '../../../src/model/route.ts';
import type { Store } from '../../../src/model/store.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { openStore } from '../../../src/store/open.ts';
import { openHouse } from '../../support/bugferry.ts';
import { changingAnswers } from '../../support/faults/changed-answers.ts';
import { scrub } from '../../support/scrub.ts';

/** Who reads the log alone learns when trouble begins, and when it ends. */
let folder: string;
let store: Store;
let lines: string[];
let look: () => readonly string[];
const at = Date.UTC(2026, 0, 5, 8);
const route = { name: 'widget', owner: 'acme', repo: 'widget' } as Route;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-log-'));
  store = openStore(join(folder, 'state.db'), { mode: 'write', now: () => at, scrub });
  lines = [];
  const log = createLog({
    ...{ level: 'info', isTerminal: false, secrets: [] },
    write: (line) => {
      const { level, msg } = JSON.parse(line);
      lines.push(`${level} ${msg}`);
    },
  });
  const pass = troubleLog(log, store, [route]);
  look = () => {
    lines = [];
    pass();
    return lines;
  };
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const aside = (ref: number, cause: 'side' | 'fault' = 'side') =>
  store.setAside.put({
    ...{ route: 'widget', side: 'tracker', ref, stage: 'read', cause, why: 'HTTP 500', at },
    ...{ retryAt: null, content: `item ${ref}`, version: '1' },
  });

test('nothing is said of nothing', () => {
  expect(look()).toEqual([]);
  expect(look()).toEqual([]);
});

test('the end of failures is logged, with their number, and their beginning is not again', () => {
  for (const minute of [0, 1, 2])
    store.failures.save('widget', { of: 'cycle', kind: 'later', side: 'tracker', why: 'down', at: at + minute });
  expect(look()).toEqual([]);
  store.failures.remove('widget', 'cycle');
  expect(look()).toEqual(['info The cycle succeeds again, after 3 failures since 2026-01-05 08:00:00 UTC.']);
  expect(look()).toEqual([]);
  store.failures.save('widget', { of: 'sweep', kind: 'later', side: 'github', why: 'down', at });
  look();
  store.failures.remove('widget', 'sweep');
  expect(look()).toEqual(['info The full comparison succeeds again, after 1 failure since 2026-01-05 08:00:00 UTC.']);
});

test('a wrong clock is logged once, however far it gets, and so is its end', () => {
  const clock = { of: 'clock', kind: 'refused', side: null, at } as const;
  store.failures.save('widget', { ...clock, why: 'the clock of this machine is 20 minutes behind' });
  expect(look()).toEqual(['warn The clock of this machine is 20 minutes behind. Set the clock of this machine (NTP).']);
  store.failures.save('widget', { ...clock, why: 'the clock of this machine is 21 minutes behind' });
  expect(look()).toEqual([]);
  store.failures.save('widget', { ...clock, side: 'tracker', why: "the tracker's clock is 5 minutes ahead" });
  expect(look()).toEqual([
    "warn The tracker's clock is 5 minutes ahead. Set the clock of the tracker's database (NTP).",
  ]);
  store.failures.remove('widget', 'clock');
  expect(look()).toEqual(['info The clocks agree again.']);
});

test('items on which a side fails are named, a few of many, and their end is counted', () => {
  aside(3);
  expect(look()).toEqual([
    expect.stringMatching(
      /^warn bug 3 is set aside: The tracker failed while it was being read: HTTP 500\. Everything else goes on\. Ask an administrator/u,
    ),
  ]);
  aside(3);
  expect(look()).toEqual([]);
  for (let ref = 10; ref < 18; ref += 1) aside(ref);
  expect(look()).toHaveLength(6);
  expect(lines.at(-1)).toBe('warn 3 more items are set aside; bugferry status lists them.');
  for (let ref = 10; ref < 18; ref += 1) store.setAside.remove('widget', 'tracker', ref);
  expect(look()).toEqual(['info 8 items are no longer set aside.']);
  // Logged as it happened, with its stack.
  aside(20, 'fault');
  expect(look()).toEqual([]);
});

test('the log of a daemon says that its tracker answers again', async () => {
  const house = await openHouse((tracker) => tracker.as('alice').file({ summary: 'Pan', description: 'Hot.' }));
  onTestFinished(() => house.close());
  let isDown = false;
  const url = await changingAnswers(house.trackerUrl, () => (isDown ? { status: 502, text: 'Bad gateway' } : null));
  house.configure((config) => {
    config.tracker.url = url;
    config.schedule = { poll: '* * * * * *' };
  });
  await house.run('once');
  const { child, says, ended } = house.start('run');
  await says('started');
  isDown = true;
  await says('The next cycle tries again');
  isDown = false;
  await says('The cycle succeeds again, after ');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});
