import Database from 'better-sqlite3';

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
