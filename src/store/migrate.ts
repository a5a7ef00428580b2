import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StateUnusable } from './unusable.ts';

const folder = new URL('./migrations/', import.meta.url);

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * Brings the database to the shape this program knows: every migration runs once, in its own transaction, and `user_version`
 * counts them. A released migration is never edited; a new one is added instead.
 */
export function migrate(db: Database, file: string): void {
  const found = checkVersion(db, file);
  for (const { version, sql } of readMigrations()) {
    if (version <= found) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    })();
  }
}

/** Throws `StateUnusable` unless the database has exactly the shape this program knows: a reader cannot migrate. */
export function requireCurrent(db: Database, file: string): void {
  if (checkVersion(db, file) < readMigrations().length) {
    throw new StateUnusable(`The state file ${file} was written by an older bugferry. Start the bridge once, which brings it up to date.`);
  }
}

function checkVersion(db: Database, file: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const known = readMigrations().length;
  if (version > known) {
    throw new StateUnusable(
      `The state file ${file} was written by a newer bugferry (its version is ${version}, this program knows ${known}). ` +
        'Install that version again, or restore the copy of the file from before the upgrade.',
    );
  }
  if (version === 0 && db.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw new StateUnusable(`The file ${file} is a database of another program. Give bugferry a state file of its own.`);
  }
  return version;
}

function readMigrations(): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const version = Number(name.slice(0, 3));
    if (version !== index + 1) throw new Error(`Migration ${name} is out of order: expected number ${index + 1}`);
    return { version, sql: readFileSync(new URL(name, folder), 'utf8') };
  });
}
