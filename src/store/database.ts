import { existsSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { withoutSlash } from '../model/named.ts';
import { createPrivately, keepPrivate } from './file-access.ts';
import { connectTo, lockState } from './lock.ts';
import { migrate, requireCurrent, requireWhole } from './migrate.ts';
import { adviceOn, codedWords, StateUnusable } from './trouble.ts';

/**
 *   write  the daemon: creates the file if needed, is the only writer, and upgrades it
 *   read   reads while a daemon runs
 *   copy   a private, writable copy in memory; empty if there is no file
 */
export type StateMode = 'write' | 'read' | 'copy';

interface OpenDatabase {
  readonly db: Database.Database;
  close(): void;
}

const inMemory = ':memory:';
const busyTimeoutMs = 5_000;
/** The size that is read in less than a second: some 20,000 links. */
const soonReadBytes = 64 * 2 ** 20;

/**
 * Opens the state database; calls `warn` if other users could read it. Throws `StateLocked` or `StateUnusable`, which
 * say what to do.
 */
export function openDatabase(file: string, mode: StateMode, warn: (message: string) => void = () => {}): OpenDatabase {
  if (file !== inMemory) refuseFolder(file);
  if (mode === 'read') return openToRead(file);
  if (mode === 'copy') return openCopy(file);
  return file === inMemory ? openInMemory() : openFile(file, warn);
}

function refuseFolder(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new StateUnusable(
    `The state file ${file} is a folder. Write the name of a file into the configuration, such as state: ${withoutSlash(file)}/bugferry.db.`,
  );
}

function openFile(file: string, warn: (message: string) => void): OpenDatabase {
  const unlock = reporting(file, () => lockState(file));
  try {
    reporting(file, () => {
      if (statSync(file, { throwIfNoEntry: false })?.size === 0)
        warn(`The state file ${file} is empty: what was mirrored before is looked for on both sides.`);
      createPrivately(file);
      keepPrivate(file, warn);
    });
    return openToWrite(file, { isLookedThrough: isToLookThrough(file), unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * A start must not take longer as the state grows, so a large file that was closed properly is not checked in full.
 * After a crash, its log is still beside it, and the machine may have failed. Damage that is not found here shows when
 * its page is read, or in a backup.
 */
function isToLookThrough(file: string): boolean {
  const bytesOf = (each: string): number => statSync(each, { throwIfNoEntry: false })?.size ?? 0;
  return bytesOf(file) <= soonReadBytes || bytesOf(`${file}-wal`) > 0;
}

interface Opening {
  readonly isLookedThrough: boolean;
  readonly unlock: () => void;
}

/** A state in memory with nothing in it; null until one is needed. */
let blank: Buffer | null = null;

/** To make all tables takes several milliseconds, so only the first of a process makes them: tests open thousands. */
function openInMemory(): OpenDatabase {
  if (blank === null) {
    const { db, close } = openToWrite(inMemory, { isLookedThrough: false, unlock: () => {} });
    blank = db.serialize();
    close();
  }
  return openContent(Buffer.from(blank), inMemory, false);
}

function openToWrite(file: string, { isLookedThrough, unlock }: Opening): OpenDatabase {
  const db = connect(
    file,
    () => connectTo(file, { timeout: busyTimeoutMs }),
    (opened) => prepareToWrite(opened, file, isLookedThrough),
  );
  return {
    db,
    close() {
      db.close();
      unlock();
    },
  };
}

function prepareToWrite(db: Database.Database, file: string, isLookedThrough: boolean): void {
  // `status` and `explain` can read while the daemon writes, and the daemon can write while they read.
  db.pragma('journal_mode = wal');
  // A commit returns after it has reached the disk. Otherwise a power cut could lose the mark that a request was sent,
  // and its comment would be created again. Where that would be too often, `unhurried.ts` waits.
  db.pragma('synchronous = full');
  // Pages in memory, in kilobytes; the machine keeps the others near anyway. The usual 16 MB fill in the first cycle
  // over a million links.
  db.pragma('cache_size = -8000');
  // Deleting a link deletes its dependent rows.
  db.pragma('foreign_keys = on');
  if (isLookedThrough) requireWhole(db, file, 'quick');
  migrate(db, file);
}

function openToRead(file: string): OpenDatabase {
  if (!existsSync(file)) {
    throw new StateUnusable(
      `The state file ${file} does not exist yet. Start the bridge once, or check the path in the configuration.`,
    );
  }
  // The timeout covers the time that another process needs to recover the file after a crash.
  const db = connect(file, () => connectTo(file, { readonly: true, timeout: busyTimeoutMs }), requireCurrent);
  return { db, close: () => db.close() };
}

function openCopy(file: string): OpenDatabase {
  if (!existsSync(file)) return openInMemory();
  const source = connect(
    file,
    () => connectTo(file, { readonly: true, timeout: busyTimeoutMs }),
    // Opening does not read the file; this does, and fails if it is not a database.
    (db) => void db.pragma('schema_version'),
  );
  const content = source.serialize();
  source.close();
  return openContent(content, file, true);
}

/** @param file where the content comes from, for messages */
function openContent(content: Buffer, file: string, isLookedThrough: boolean): OpenDatabase {
  // Bytes 18 and 19 mark the file as using a write-ahead log, which a database in memory cannot have
  // (sqlite.org/c3ref/deserialize.html).
  content[18] = 1;
  content[19] = 1;
  const db = connect(
    file,
    () => connectTo(content),
    (opened) => prepareToWrite(opened, file, isLookedThrough),
  );
  return { db, close: () => db.close() };
}

/** Opens and prepares a connection; closes it if that fails. */
function connect(
  file: string,
  open: () => Database.Database,
  prepare: (db: Database.Database, file: string) => void,
): Database.Database {
  return reporting(file, () => {
    const db = open();
    try {
      prepare(db, file);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Turns errors of the database and the file system into messages that the operator can act on. */
export function reporting<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = String(error.code);
    throw new StateUnusable(
      `The state file ${file} cannot be used (${codedWords({ code, message: error.message })}). ${adviceOn(code)}`,
      {
        cause: error,
      },
    );
  }
}
