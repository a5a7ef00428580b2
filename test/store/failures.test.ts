import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { sqliteStore } from '../../src/store/open.ts';
import { whyUncreatable, whyUnwritable } from '../../src/store/trouble.ts';
import { scrub } from '../support/scrub.ts';
import { stateFile } from './files.ts';

const failed = { of: 'cycle', kind: 'state', side: null, why: 'the disk is full', at: 10 } as const;

test('a failure that cannot be written is remembered all the same, until the work succeeds or it can be written', () => {
  const { db, close } = openDatabase(stateFile(), 'write');
  onTestFinished(close);
  const { failures } = sqliteStore(db, { now: () => 0, scrub, close });
  failures.save('kettle', failed);
  db.pragma('query_only = on');
  failures.save('kettle', { ...failed, at: 20 });
  failures.save('kettle', { ...failed, of: 'sweep', at: 25 });
  expect(failures.ofRoute('kettle')).toMatchObject([
    { of: 'cycle', sinceAt: 10, at: 20, count: 2 },
    { of: 'sweep', sinceAt: 25, count: 1 },
  ]);
  // Whoever asks for it to be forgotten hears that it cannot be.
  expect(() => failures.remove('kettle', 'cycle')).toThrow(/readonly/u);
  db.pragma('query_only = off');
  failures.save('kettle', { ...failed, at: 30 });
  expect(failures.ofRoute('kettle')).toMatchObject([{ of: 'cycle', sinceAt: 10, at: 30, count: 3 }, { of: 'sweep' }]);
  failures.remove('kettle', 'cycle');
  failures.remove('kettle', 'sweep');
  expect(failures.ofRoute('kettle')).toEqual([]);
});

test('a state that cannot be made says so, with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), '');
  expect(whyUncreatable(join(folder, 'new/state/bugferry.db'))).toBeNull();
  expect(whyUncreatable(join(folder, 'file/bugferry.db'))).toMatch(/ \(ENOTDIR\)\. Check the path/u);
  // Root may write everywhere.
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  expect(whyUncreatable(join(folder, 'new/bugferry.db'))).toMatch(/ \(EACCES\)\. Check that the disk is writable/u);
});

test('a state that cannot be written says so, with what to do', () => {
  const file = stateFile();
  expect(whyUnwritable(file)).toMatch(/^Cannot write to the state file .* \(ENOENT\)\. /u);
  const { db, close } = openDatabase(file, 'write');
  const { unwritable } = sqliteStore(db, { now: () => 0, scrub, close });
  expect(unwritable()).toBeNull();
  close();
  const memory = openDatabase(':memory:', 'write');
  onTestFinished(memory.close);
  expect(sqliteStore(memory.db, { now: () => 0, scrub, close: memory.close }).unwritable()).toBeNull();
});
