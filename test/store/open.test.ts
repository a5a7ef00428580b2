import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bugId, linkId } from '../../src/model/ids.ts';
import type { Store } from '../../src/model/store.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openStore } from '../../src/store/open.ts';
import { StateLocked, StateUnusable } from '../../src/store/trouble.ts';
import { frozen, halfLink, lineOf } from '../contract/store/samples.ts';
import { scrub } from '../support/scrub.ts';
import { kill, startVictim, stateFile } from './files.ts';

const now = () => 1_000;

function open(file: string, mode: 'write' | 'read' | 'copy'): Store {
  const store = openStore(file, { mode, now, scrub });
  onTestFinished(() => store.close());
  return store;
}

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

describe('opening to write', () => {
  test('makes the folder and the file, for the owner only', () => {
    const file = stateFile();
    open(file, 'write').links.add(halfLink(1));
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    const modes = readdirSync(dirname(file)).map((name) => [name, statSync(`${dirname(file)}/${name}`).mode & 0o777]);
    expect(modes.map(([name]) => name)).toContain('bugferry.db-wal');
    expect(modes.filter(([, mode]) => mode !== 0o600)).toStrictEqual([]);
  });

  test('survives a power cut and cleans up after a link', () => {
    const { db, close } = openDatabase(stateFile(), 'write');
    onTestFinished(close);
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toStrictEqual(['wal', 2, 1]);
    expect(pragma('busy_timeout')).toBeGreaterThan(0);
  });

  test.each(['write', 'read', 'copy'] as const)('to %s, wants no temporary folder', (mode) => {
    const file = stateFile();
    openDatabase(file, 'write').close();
    const { db, close } = openDatabase(file, mode);
    onTestFinished(close);
    expect(db.pragma('temp_store', { simple: true })).toBe(2);
  });

  test('finds again what was written before', () => {
    const file = stateFile();
    const first = openStore(file, { mode: 'write', now, scrub });
    const link = first.links.add(halfLink(1));
    first.close();
    expect(open(file, 'write').links.byId(link.id)).toStrictEqual(link);
  });

  test('is refused while another writer lives, with what to do about it, and harms that one in no way', () => {
    const file = stateFile();
    const first = openStore(file, { mode: 'write', now, scrub });
    for (let tries = 0; tries < 2; tries += 1) {
      const error = errorOf(() => openStore(file, { mode: 'write', now, scrub }));
      expect(error).toBeInstanceOf(StateLocked);
      expect(String(error)).toContain(file);
      expect(String(error)).toMatch(/stop the other process/i);
    }
    first.links.add(halfLink(1));
    first.close();
    expect(open(file, 'write').links.byBug(bugId(1))).not.toBeNull();
  });

  test('stays refused to other processes after it was refused within this one', async () => {
    const file = stateFile();
    open(file, 'write');
    expect(errorOf(() => openStore(file, { mode: 'write', now, scrub }))).toBeInstanceOf(StateLocked);
    open(file, 'read').close();
    await expect(startVictim(file, 'idle')).rejects.toThrow(/StateLocked/);
  });

  test('is refused while another process writes, and works as soon as that one was killed', async () => {
    const file = stateFile();
    const victim = await startVictim(file, 'idle');
    expect(errorOf(() => openStore(file, { mode: 'write', now, scrub }))).toBeInstanceOf(StateLocked);
    expect(errorOf(() => openStore(file, { mode: 'write', now, scrub }))).toBeInstanceOf(StateLocked);
    await kill(victim);
    expect(open(file, 'write').links.byBug(bugId(1))).not.toBeNull();
  });

  test('after a kill in mid-transaction finds what was committed, and nothing of the rest', async () => {
    const file = stateFile();
    const victim = await startVictim(file, 'in-transaction');
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(1_000_000);
    await kill(victim);
    const { db, close } = openDatabase(file, 'write');
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    close();
    const store = open(file, 'write');
    expect(store.links.after('kettle', null, 10)).toStrictEqual([{ ...halfLink(1), id: linkId(1) }]);
    expect(store.commentLinks.ofLink(linkId(2))).toStrictEqual([]);
  });

  test('a failed opening gives the lock back', () => {
    const file = stateFile();
    mkdirSync(dirname(file));
    writeFileSync(file, 'not a database, but long enough to be looked at as one '.repeat(100));
    for (let tries = 0; tries < 2; tries += 1) {
      const error = errorOf(() => openStore(file, { mode: 'write', now, scrub }));
      expect(error).toBeInstanceOf(StateUnusable);
      expect(String(error)).toMatch(/restore a backup/i);
    }
  });

  test('says so when the folder cannot be made', () => {
    const file = join(stateFile(), 'bugferry.db');
    mkdirSync(dirname(dirname(file)));
    writeFileSync(dirname(file), 'a file where the folder should be');
    const error = errorOf(() => openStore(file, { mode: 'write', now, scrub }));
    expect(error).toBeInstanceOf(StateUnusable);
    expect(String(error)).toContain(file);
    expect(String(error)).toContain('Check the path: something else has the name of a folder in it.');
  });
});

describe('opening to read', () => {
  test('works while another process writes, and sees what it commits', () => {
    const file = stateFile();
    const writer = open(file, 'write');
    const reader = open(file, 'read');
    expect(reader.links.byBug(bugId(1))).toBeNull();
    writer.transaction(() => {
      writer.links.add(halfLink(1));
      expect(reader.links.byBug(bugId(1))).toBeNull();
    });
    expect(reader.links.byBug(bugId(1))).not.toBeNull();
    expect(() => reader.links.add(halfLink(2))).toThrow(/readonly/);
  });

  test('a long look sees one state, and does not hold up the writer', () => {
    const file = stateFile();
    const writer = open(file, 'write');
    const reader = open(file, 'read');
    reader.transaction(() => {
      expect(reader.links.count('kettle').byState.live).toBe(0);
      writer.links.add(halfLink(1));
      expect(reader.links.count('kettle').byState.live).toBe(0);
    });
    expect(reader.links.count('kettle').byState.live).toBe(1);
  });

  test('works after the writer was killed', async () => {
    const file = stateFile();
    await kill(await startVictim(file, 'in-transaction'));
    expect(open(file, 'read').links.count('kettle').byState.live).toBe(1);
  });

  test('tells that there is no file, and makes none', () => {
    const file = stateFile();
    const error = errorOf(() => openStore(file, { mode: 'read', now, scrub }));
    expect(error).toBeInstanceOf(StateUnusable);
    expect(String(error)).toContain(file);
    expect(existsSync(dirname(file))).toBe(false);
  });
});

describe('a private copy', () => {
  test('has what the file has, also while it is being written, and changes nothing in it', () => {
    const file = stateFile();
    const writer = open(file, 'write');
    const link = writer.links.add(halfLink(1));
    writer.transaction(() => {
      writer.links.add(halfLink(2));
      const copy = open(file, 'copy');
      expect(copy.links.byBug(bugId(1))).toStrictEqual(link);
      expect(copy.links.byBug(bugId(2))).toBeNull();
      copy.links.remove(link.id);
      for (let bug = 3; bug < 500; bug += 1) copy.links.add(halfLink(bug, { ...frozen, reason: 'r'.repeat(1_000) }));
      copy.transaction(() => copy.ledger.add(lineOf(link.id, 1)));
      expect(copy.links.byBug(bugId(499))).not.toBeNull();
    });
    expect(writer.links.byBug(bugId(1))).toStrictEqual(link);
    expect(writer.links.count('kettle').byState.live).toBe(2);
    expect(writer.ledger.ofLink(link.id)).toStrictEqual([]);
  });

  test('of a file that does not exist is empty, and makes none', () => {
    const file = stateFile();
    open(file, 'copy').links.add(halfLink(1));
    expect(existsSync(dirname(file))).toBe(false);
  });

  test('of a file that was made but never filled is empty', () => {
    const file = stateFile();
    mkdirSync(dirname(file));
    writeFileSync(file, '');
    open(file, 'copy').links.add(halfLink(1));
    expect(statSync(file).size).toBe(0);
  });
});

describe('versions', () => {
  const setVersion = (file: string, sql: string) => {
    const db = new Database(file);
    db.exec(sql);
    db.close();
  };

  test.each(['write', 'read', 'copy'] as const)('a file of a newer program is refused, opened to %s', (mode) => {
    const file = stateFile();
    openStore(file, { mode: 'write', now, scrub }).close();
    setVersion(file, 'pragma user_version = 99');
    const error = errorOf(() => openStore(file, { mode, now, scrub }));
    expect(error).toBeInstanceOf(StateUnusable);
    expect(String(error)).toMatch(/newer bugferry/);
    expect(String(error)).toContain('99');
  });

  test.each(['write', 'read', 'copy'] as const)(
    'a file from before the first release is refused with advice, opened to %s',
    (mode) => {
      const file = stateFile();
      mkdirSync(dirname(file));
      setVersion(file, 'create table entries (id integer primary key) strict; pragma user_version = 4');
      const error = errorOf(() => openStore(file, { mode, now, scrub }));
      expect(error).toBeInstanceOf(StateUnusable);
      expect(String(error)).toMatch(
        /before the first release of bugferry \(its version is 4\).*keep it as a backup.*bugferry adopt/,
      );
      expect(existsSync(`${file}.version-4`)).toBe(false);
    },
  );

  test('a file that was made but never filled is filled by the writer, and a reader is told to start that', () => {
    const file = stateFile();
    mkdirSync(dirname(file));
    writeFileSync(file, '');
    expect(String(errorOf(() => openStore(file, { mode: 'read', now, scrub })))).toMatch(/start the bridge once/i);
    open(file, 'write').links.add(halfLink(1));
    expect(open(file, 'read').links.byBug(bugId(1))).not.toBeNull();
  });

  test.each(['write', 'read', 'copy'] as const)('the database of another program is refused, opened to %s', (mode) => {
    const file = stateFile();
    mkdirSync(dirname(file));
    setVersion(file, 'create table notes (text text)');
    expect(String(errorOf(() => openStore(file, { mode, now, scrub })))).toMatch(/another program/);
  });

  const damages: readonly (readonly [string, (content: Buffer) => Buffer])[] = [
    ['is no database at all', () => Buffer.from('This was a state file once. '.repeat(200))],
    ['has lost its first page', (content) => Buffer.concat([Buffer.alloc(4096), content.subarray(4096)])],
  ];
  test.each(
    damages.flatMap(([what, damage]) =>
      (['write', 'read', 'copy'] as const).map((mode) => [what, mode, damage] as const),
    ),
  )('a file that %s is refused with advice, opened to %s', (_what, mode, damage) => {
    const file = stateFile();
    open(file, 'write').close();
    writeFileSync(file, damage(readFileSync(file)));
    expect(() => open(file, mode)).toThrow(StateUnusable);
    expect(() => open(file, mode)).toThrow(/Restore a backup/);
  });
});
