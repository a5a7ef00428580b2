import Database from 'better-sqlite3';
import { adviceOn } from './advice.ts';

/** What happened to a state file in the middle of the work, for the operator; null for an error of another kind. */
export function stateTrouble(error: unknown): string | null {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/u.test(error.code)) return null;
  const again = 'Nothing is lost: the next run finds what was sent, and does nothing twice.';
  return `The state file cannot be used any more (${error.code}: ${error.message}). ${adviceOn(error.code)} ${again}`;
}
