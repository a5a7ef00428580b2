import Database from 'better-sqlite3';

/** Runs `write`; when the database refuses it because a unique value is taken, the error says what is taken. */
export function unlessTaken<T>(what: () => string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
    throw new Error(what(), { cause: error });
  }
}
