import Database from 'better-sqlite3';
import { createPrivately } from './file-access.ts';

/**
 * Opens a connection; every one of the program is opened here. What SQLite would put into a temporary folder, such as the journal of a
 * statement, stays in memory: where the root is read-only there is no such folder. Source: sqlite.org/tempfiles.html
 * @param source a file, or the content of one
 */
export function connectTo(source: string | Buffer, options: Database.Options = {}): Database.Database {
  const db = new Database(source, options);
  db.pragma('temp_store = memory');
  return db;
}

/** Another process writes the same state file. */
export class StateLocked extends Error {
  override readonly name = 'StateLocked';
}

/**
 * Makes this process the only writer of `file` and returns the function that ends it.
 *
 * The lock is an exclusive transaction on the tiny database `<file>.lock`, which is a lock of the operating system: it ends with the
 * process however that dies, so no stale lock is ever left to clean up. The file itself stays, because removing it would let a
 * third process lock a new file while a second one still waits for the old.
 */
export function lockState(file: string): () => void {
  const lockFile = `${file}.lock`;
  createPrivately(lockFile);
  const lock = connectTo(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new StateLocked(
      `Another bugferry process is running with the state file ${file}. Two would write everything twice, so this one does not start. ` +
        'Stop the other process, or give this one a state file of its own. Commands that only read (status, explain, plan) work meanwhile.',
      { cause: error },
    );
  }
  return () => lock.close();
}

/** Runs `write`; when the database refuses it because a unique value is taken, the error says what is taken. */
export function unlessTaken<T>(what: () => string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
    throw new Error(what(), { cause: error });
  }
}
