import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { reporting } from './database.ts';
import { createPrivately } from './file-access.ts';
import { connectTo, lockState } from './lock.ts';
import { requireCurrent, requireWhole, versionOf } from './migrate.ts';
import { isMissing } from './missing.ts';
import { forgetLooks } from './tables/looks.ts';
import { markAllOlder } from './tables/older-pairs.ts';
import { explainAll } from './tables/unknown-writes.ts';
import { StateUnusable } from './trouble.ts';

/** The content of a state file in numbers. */
export interface StateSummary {
  readonly version: number;
  readonly links: number;
  /** Those of them that have both ends. */
  readonly pairs: number;
  readonly ledger: number;
  readonly parked: number;
}

/** Copies the state to a new file, also while the bridge runs, and verifies the copy. Throws `StateUnusable`. */
export async function backupState(file: string, target: string): Promise<StateSummary> {
  if (existsSync(target))
    throw new StateUnusable(`The file ${target} already exists. Choose another name; a backup overwrites nothing.`);
  const db = openToLook(file);
  try {
    createPrivately(target);
    await db.backup(target);
    changeAlone(target);
  } catch (error) {
    rmSync(target, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new StateUnusable(
      `Cannot write the backup to ${target} (${why}). Check its folder, and that the disk has free space.`,
      {
        cause: error,
      },
    );
  } finally {
    db.close();
  }
  return verifyState(target);
}

/** Verifies a state file completely, including its version. Throws `StateUnusable`. */
export const verifyState = (file: string): StateSummary => reporting(file, () => summaryOf(file));

function summaryOf(file: string): StateSummary {
  const db = openToLook(file);
  try {
    const version = versionOf(db, file);
    if (version === 0) throw new StateUnusable(`The file ${file} is empty: it contains no state. Use another backup.`);
    requireWhole(db, file, 'thorough');
    requireCurrent(db, file);
    const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
    return {
      version,
      links: count('select count(*) from links'),
      pairs: count('select count(*) from links where bug is not null and issue is not null'),
      ledger: count('select count(*) from ledger'),
      parked: count("select count(*) from outbox where state = 'parked'"),
    };
  } finally {
    db.close();
  }
}

/**
 * Replaces the state with a backup, whose pairs are marked as older than what both sides show. Keeps the old state
 * under another name, which it returns; null if there was none. Throws `StateLocked` while a bridge runs, and
 * `StateUnusable` if the backup is damaged or from a newer version.
 */
export async function restoreState(
  file: string,
  source: string,
  now: number,
): Promise<{ readonly kept: string | null; readonly summary: StateSummary }> {
  const summary = verifyState(source);
  const unlock = reporting(file, () => lockState(file));
  try {
    const fresh = `${file}.restoring`;
    rmSync(fresh, { force: true });
    const db = openToLook(source);
    createPrivately(fresh);
    await db.backup(fresh).finally(() => db.close());
    changeAlone(fresh, (copy) => markOlder(copy, now));
    const kept = existsSync(file) ? replacedName(file, now) : null;
    // The database first: a write-ahead log is useless without its database, and a database without its log lacks the
    // latest writes.
    if (kept !== null) renameSync(file, kept);
    if (kept !== null) keepBeside(`${file}-wal`, `${kept}-wal`);
    for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });
    renameSync(fresh, file);
    return { kept, summary };
  } finally {
    unlock();
  }
}

/** Where the content of a state file is kept that another one replaces. */
export const replacedName = (file: string, at: number): string =>
  `${file}.replaced-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}`;

/** What the file knows may be older than what both sides show. */
export function markOlder(db: Database.Database, now: number): void {
  markAllOlder(db, now);
  explainAll(db, now);
  forgetLooks(db);
}

function keepBeside(file: string, target: string): void {
  try {
    copyFileSync(file, target);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * The copy of a state is in WAL mode, too, which puts two files beside it whenever it is read: a backup is one file.
 */
export function changeAlone(file: string, change: (db: Database.Database) => void = () => {}): void {
  const db = connectTo(file, { timeout: 5_000 });
  try {
    change(db);
    db.pragma('journal_mode = delete');
  } finally {
    db.close();
  }
}

function openToLook(file: string): Database.Database {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new StateUnusable(`The file ${file} does not exist. Check the path.`);
  if (found.isDirectory()) throw new StateUnusable(`${file} is a folder. Name the file of the state in it.`);
  const db = connectTo(file, { readonly: true, timeout: 5_000 });
  try {
    db.pragma('schema_version');
    return db;
  } catch (error) {
    db.close();
    // A disk that is full has no room for what a reader needs, and says nothing about the file.
    if (!(error instanceof Error && 'code' in error && /^SQLITE_(?:NOTADB|CORRUPT)/u.test(String(error.code))))
      throw error;
    throw new StateUnusable(`The file ${file} is not a database, or is too damaged to read. Use another backup.`, {
      cause: error,
    });
  }
}
