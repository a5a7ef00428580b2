import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupState, restoreState, verifyState } from '../../src/store/backup.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import { halfLink } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';

let folder: string;
let file: string;
let backup: string;
const now = () => Date.UTC(2026, 0, 5, 8);
/** Of the state as this program knows it. */
/** Versions 1 to 4 were never released. */
const known = 4 + readdirSync(new URL('../../src/store/migrations', import.meta.url)).length;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bugferry-backup-'));
  file = join(folder, 'bugferry.db');
  backup = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A state with so many links, of a bridge that has ended. */
function stateOf(links: number, where = file): void {
  const store = openStore(where, { mode: 'write', now, scrub });
  for (let bug = 1; bug <= links; bug += 1) store.links.add(halfLink(bug));
  store.close();
}

const linksIn = (where: string): number => verifyState(where).links;

/** Overwrites one page of the data, so that the schema can still be read. */
function damage(where: string): void {
  const bytes = readFileSync(where);
  bytes.fill(0xa5, bytes.length - 3 * 4096, bytes.length - 2 * 4096);
  writeFileSync(where, bytes);
}

/** Makes a state larger than what is looked through at every start. */
function enlarge(where: string): void {
  const db = new Database(where);
  db.exec('create table ballast (bytes blob)');
  db.prepare('insert into ballast values (zeroblob(?))').run(65 * 2 ** 20);
  db.close();
}

describe('a backup', () => {
  test('is one file, also after it was looked at, and of a state in use', async () => {
    stateOf(3);
    const store = openStore(file, { mode: 'write', now, scrub });
    await backupState(file, backup);
    expect(verifyState(backup).links).toBe(3);
    store.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  test('is made while the bridge writes, holds all that was committed, and is for the owner only', async () => {
    const store = openStore(file, { mode: 'write', now, scrub });
    store.links.add(halfLink(1));
    const summary = await backupState(file, backup);
    store.links.add(halfLink(2));
    store.close();
    expect(summary).toEqual({ version: known, links: 1, pairs: 0, ledger: 0, parked: 0 });
    expect([linksIn(backup), linksIn(file)]).toEqual([1, 2]);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['of a state that does not exist', () => {}, 'does not exist'],
    ['over a file', () => [stateOf(1), writeFileSync(backup, 'precious')], 'overwrites nothing'],
    [
      'of a text',
      () => writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(99)),
      'is not a database',
    ],
  ])('%s is refused', async (_name, arrange, words) => {
    arrange();
    await expect(backupState(file, backup)).rejects.toThrow(words);
    if (existsSync(backup)) expect(readFileSync(backup, 'utf8')).toBe('precious');
  });

  test('into a folder that does not exist is refused, and says so', async () => {
    stateOf(1);
    await expect(backupState(file, join(folder, 'nowhere', 'b.db'))).rejects.toThrow('Check its folder');
  });
});

describe('verifying', () => {
  test('finds no state in a folder, and says so', () => {
    expect(() => verifyState(folder)).toThrow(`${folder} is a folder. Name the file of the state in it.`);
  });

  test('finds damage, and says what to do', () => {
    stateOf(400);
    damage(file);
    expect(() => verifyState(file)).toThrow(/bugferry state restore FILE.*bugferry adopt/s);
  });

  test('condemns no file that only cannot be read now', () => {
    stateOf(1);
    // Nothing can be laid beside it, as on a disk that is full.
    mkdirSync(`${file}-wal`);
    expect(() => verifyState(file)).toThrow(/SQLITE_CANTOPEN.*Check that the disk is writable/u);
  });

  test('finds rows that belong to nothing', () => {
    stateOf(1);
    const db = new Database(file);
    db.pragma('foreign_keys = off');
    db.prepare('insert into file_readings (link, thread_read_at) values (99, 0)').run();
    db.close();
    expect(() => verifyState(file)).toThrow('1 rows belong to links that are gone');
  });

  test('is done at the start, so that a damaged file is not written to', () => {
    stateOf(400);
    damage(file);
    const before = readFileSync(file);
    expect(() => openStore(file, { mode: 'write', now, scrub })).toThrow(/bugferry state restore FILE/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('is left out for a large file, so that a start takes no longer the more is remembered', () => {
    stateOf(400);
    enlarge(file);
    damage(file);
    openStore(file, { mode: 'write', now, scrub }).close();
    expect(() => verifyState(file)).toThrow(/bugferry state restore FILE/);
  });

  test('is not left out for a large file that was not closed in order', () => {
    stateOf(400);
    enlarge(file);
    copyFileSync(file, backup);
    const store = openStore(file, { mode: 'write', now, scrub });
    store.links.add(halfLink(401));
    // As the file and its log are found after a power cut.
    copyFileSync(`${file}-wal`, `${backup}-wal`);
    store.close();
    damage(backup);
    expect(() => openStore(backup, { mode: 'write', now, scrub })).toThrow(/bugferry state restore FILE/);
  });
});

describe('restoring', () => {
  test('puts the backup in the place of the state, and keeps what stood there with its log', async () => {
    stateOf(1);
    await backupState(file, backup);
    stateOf(3, join(folder, 'later.db'));
    for (const rest of ['', '-wal', '-shm'])
      if (existsSync(join(folder, `later.db${rest}`))) copyFileSync(join(folder, `later.db${rest}`), `${file}${rest}`);
    const { kept, summary } = await restoreState(file, backup, now());
    expect(summary.links).toBe(1);
    expect(linksIn(file)).toBe(1);
    expect(kept).toBe(`${file}.replaced-2026-01-05T080000`);
    expect(linksIn(kept ?? '')).toBe(3);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(linksIn(backup)).toBe(1);
  });

  test('works where the state was lost', async () => {
    stateOf(2);
    await backupState(file, backup);
    for (const name of readdirSync(folder)) if (name.startsWith('bugferry.db')) rmSync(join(folder, name));
    expect((await restoreState(file, backup, now())).kept).toBeNull();
    expect(linksIn(file)).toBe(2);
  });

  test('works on another host, where the folder of the state does not exist yet', async () => {
    stateOf(2);
    await backupState(file, backup);
    const elsewhere = join(folder, 'state', 'bugferry.db');
    expect((await restoreState(elsewhere, backup, now())).kept).toBeNull();
    expect(linksIn(elsewhere)).toBe(2);
  });

  test('is refused while a bridge runs, and changes nothing', async () => {
    stateOf(1);
    await backupState(file, backup);
    const store = openStore(file, { mode: 'write', now, scrub });
    store.links.add(halfLink(5));
    await expect(restoreState(file, backup, now())).rejects.toThrow('Stop the other process, or wait for it.');
    store.close();
    expect(linksIn(file)).toBe(2);
  });

  const bad: readonly (readonly [string, (db: Database.Database) => void, RegExp])[] = [
    [
      'from a newer program',
      (db) => db.pragma('user_version = 99'),
      new RegExp(
        `written by a newer bugferry .*Install that version again.*bugferry state restore \\S+\\.version-${known}`,
        'u',
      ),
    ],
    ['of another program', (db) => db.pragma('user_version = 0'), /database of another program/],
    [
      'from before the first release',
      (db) => db.pragma('user_version = 4'),
      /before the first release .*bugferry adopt/,
    ],
  ];
  test.each(bad)('a backup %s is refused before anything is moved', async (_name, spoil, words) => {
    stateOf(1);
    await backupState(file, backup);
    const db = new Database(backup);
    spoil(db);
    db.close();
    await expect(restoreState(file, backup, now())).rejects.toThrow(words);
    expect(linksIn(file)).toBe(1);
  });

  test('an empty backup is refused as such, and not taken for an old one', async () => {
    stateOf(1);
    writeFileSync(backup, '');
    await expect(restoreState(file, backup, now())).rejects.toThrow(
      /backup\.db is empty: it contains no state\. Use another backup/,
    );
    expect(linksIn(file)).toBe(1);
  });

  test('a damaged backup is refused before anything is moved', async () => {
    stateOf(400);
    await backupState(file, backup);
    damage(backup);
    await expect(restoreState(file, backup, now())).rejects.toThrow('bugferry state restore FILE');
    expect(linksIn(file)).toBe(400);
  });
});

describe('a migration', () => {
  const first = { version: 1, sql: 'create table a (x integer) strict; insert into a values (1)' };
  const second = { version: 2, sql: 'drop table a' };
  const valueIn = (where: string): unknown => {
    const db = new Database(where, { readonly: true });
    try {
      return db.prepare('select x from a').pluck().get();
    } finally {
      db.close();
    }
  };

  test('of a file that holds something is preceded by a copy, which a second attempt leaves alone', () => {
    const db = new Database(file);
    migrate(db, file, [first]);
    expect(readdirSync(folder)).toEqual(['bugferry.db']);
    const broken = { version: 2, sql: 'drop table a; this is no SQL' };
    expect(() => migrate(db, file, [first, broken])).toThrow('syntax error');
    expect(valueIn(file)).toBe(1);
    migrate(db, file, [first, second]);
    db.close();
    expect(() => valueIn(file)).toThrow('no such table');
    expect(valueIn(`${file}.version-1`)).toBe(1);
    expect(statSync(`${file}.version-1`).mode & 0o777).toBe(0o600);
  });

  test('of a private copy copies nothing', () => {
    const db = new Database(file);
    migrate(db, file, [first]);
    db.close();
    const copy = new Database(readFileSync(file));
    migrate(copy, file, [first, second]);
    copy.close();
    expect(readdirSync(folder)).toEqual(['bugferry.db']);
  });
});
