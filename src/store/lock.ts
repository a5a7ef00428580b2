import Database from 'better-sqlite3';
import { connectTo } from './connect.ts';
import { createPrivately } from './rights.ts';

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
