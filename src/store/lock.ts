import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { createPrivately } from './file-access.ts';
import { makeFolder } from './make-folder.ts';
import { codedWords, StateLocked, StateUnusable } from './trouble.ts';

/**
 * Opens a connection; the only place that does. Temporary files of SQLite, such as statement journals, stay in memory:
 * on a read-only root there is no folder for them. Source: sqlite.org/tempfiles.html
 * @param source a file name, or the content of a file
 */
export function connectTo(source: string | Buffer, options: Database.Options = {}): Database.Database {
  const db = new Database(source, options);
  db.pragma('temp_store = memory');
  return db;
}

/**
 * Makes this process the only writer of the state file, whose folder it creates if needed, and returns the function
 * that releases the lock.
 */
export function lockState(file: string): () => void {
  makeFolder(dirname(file), 0o700);
  const release = withLockWords(`${file}.lock`, file);
  if (release !== null) return release;
  throw new StateLocked(
    `Another bugferry process is running with the state file ${file}. Two processes would write everything twice, so this one writes nothing. ` +
      'Stop the other process, or wait for it. Commands that only read (status, explain, plan) still work.',
  );
}

/** The lock holds no data, so its damage must not look like that of the state. */
function withLockWords(lock: string, file: string): (() => void) | null {
  try {
    return lockFile(lock);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = String(error.code);
    if (!/^(?:SQLITE_(?:NOTADB|CORRUPT|CANTOPEN)|EISDIR)/u.test(code)) throw error;
    throw new StateUnusable(
      `The lock file ${lock} cannot be used (${codedWords({ code, message: error.message })}). It holds no data, and the state file ${file} is not affected: ` +
        'make sure that no bugferry runs with this state, delete the lock file, and start again.',
      { cause: error },
    );
  }
}

/**
 * Locks a file, and answers the function that releases the lock; null if another process has it.
 *
 * The lock is an exclusive transaction on that tiny database, and therefore a lock of the operating system: it ends
 * with the process in every case, so there are no stale locks. The file itself stays, because removing it would let a
 * third process lock a new file while a second one still waits for the old.
 */
export function lockFile(file: string): (() => void) | null {
  createPrivately(file);
  const lock = connectTo(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return () => lock.close();
}
