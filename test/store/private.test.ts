import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

test('a state file that others may read is its owner’s alone once the bridge has opened it, with its write-ahead log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'state.db');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  const { db, close } = openDatabase(file, 'write');
  db.exec('create table notes (words text)');
  expect(modeOf(file)).toBe(0o600);
  expect(modeOf(`${file}-wal`)).toBe(0o600);
  close();
});
