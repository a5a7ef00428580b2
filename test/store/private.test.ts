import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backupState, restoreState } from '../../src/store/backup.ts';
import { openDatabase } from '../../src/store/database.ts';
import { looseFiles } from '../../src/store/file-access.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import { scrub } from '../support/scrub.ts';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bugferry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The rights of every file in the folder that are more than its owner's. */
const loose = (folder: string) => readdirSync(folder).filter((name) => (modeOf(join(folder, name)) & 0o077) !== 0);

test('a state file that others may read is its owner’s alone once the bridge has opened it, with its write-ahead log', () => {
  const folder = freshFolder();
  const file = join(folder, 'state.db');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  const { db, close } = openDatabase(file, 'write');
  db.exec('create table notes (words text)');
  expect(modeOf(file)).toBe(0o600);
  expect(modeOf(`${file}-wal`)).toBe(0o600);
  expect(loose(folder)).toEqual([]);
  close();
});

test('whoever opens it hears which files others could read: the state, what belongs to it, and the copies beside it', () => {
  const folder = freshFolder();
  const file = join(folder, 'state.db');
  openStore(file, { mode: 'write', now: () => 0, scrub }).close();
  const beside = [
    'state.db-wal',
    'state.db.lock',
    'state.db.version-1',
    'state.db.replaced-2026-01-05T080000',
    'state.db.restoring',
  ];
  const others = ['state.db.md', 'my-state.db', 'state.db2'];
  for (const name of [...beside, ...others]) writeFileSync(join(folder, name), '');
  for (const name of ['state.db', ...beside, ...others]) chmodSync(join(folder, name), 0o640);
  expect(
    looseFiles(file)
      .map(({ file: each, mode }) => `${each.slice(folder.length + 1)} ${mode}`)
      .sort(),
  ).toEqual(['state.db', ...beside].map((name) => `${name} 0640`).sort());

  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  openStore(file, { mode: 'write', now: () => 0, scrub, warn }).close();
  expect(warnings).toHaveLength(6);
  expect(warnings[0]).toMatch(/could read the state file .*state\.db.* \(0640\).* Now only its owner can \(0600\)/u);
  expect(loose(folder).sort()).toEqual(others.sort());
  expect(looseFiles(file)).toEqual([]);

  warnings.length = 0;
  openStore(file, { mode: 'write', now: () => 0, scrub, warn }).close();
  expect(warnings).toEqual([]);
});

test('copies are made for the owner only, whatever the process would do by itself: backups, what a backup replaces, what an upgrade leaves', async () => {
  const old = process.umask(0);
  onTestFinished(() => void process.umask(old));
  const folder = freshFolder();
  const file = join(folder, 'state.db');
  openStore(file, { mode: 'write', now: () => 0, scrub }).close();
  await backupState(file, join(folder, 'backup.db'));
  await restoreState(file, join(folder, 'backup.db'), 0);
  const { db, close } = openDatabase(file, 'write');
  const version = Number(db.pragma('user_version', { simple: true }));
  const next = Array.from({ length: version + 1 }, (_, index) => ({
    version: index + 1,
    sql: 'create table later (words text)',
  }));
  migrate(db, file, next);
  close();
  expect(readdirSync(folder).length).toBeGreaterThan(4);
  expect(loose(folder)).toEqual([]);
});

test('on Windows, which has no such rights, no file counts as open to others', () => {
  const file = join(freshFolder(), 'state.db');
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  expect([looseFiles(file).length, looseFiles(file, 'win32').length]).toEqual([1, 0]);
});

test('a folder that is not there has no files that others could read', () => {
  expect(looseFiles(join(freshFolder(), 'none', 'state.db'))).toEqual([]);
});
