import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { createPrivately } from './file-access.ts';
import { StateUnusable } from './trouble.ts';

const folder = new URL('./migrations/', import.meta.url);

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Versions up to this one were never released. Their tables had other names, and cannot be migrated. */
const retired = 4;

/**
 * Upgrades the database to the current version: every migration runs once, in its own transaction, and `user_version`
 * counts them. A migration is never edited (a test has the digest of each); a new one is added instead. A file with
 * content is copied before the first migration.
 */
export function migrate(db: Database, file: string, migrations: readonly Migration[] = readMigrations()): void {
  const found = versionOf(db, file, newest(migrations));
  const missing = migrations.filter(({ version }) => version > found);
  if (found > 0 && missing.length > 0 && !db.memory) backUp(db, backupBefore(file, found));
  for (const { version, sql } of missing) {
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    })();
  }
}

/** The name of the copy that is made before an upgrade from this version. */
const backupBefore = (file: string, version: number): string => `${file}.version-${version}`;

/**
 * The copy of an earlier attempt is complete and of the same version: it stays. Source: sqlite.org/lang_vacuum.html,
 * VACUUM INTO.
 */
function backUp(db: Database, target: string): void {
  if (existsSync(target)) return;
  const part = `${target}.part`;
  rmSync(part, { force: true });
  createPrivately(part);
  db.prepare('vacuum into ?').run(part);
  renameSync(part, target);
}

/** Throws `StateUnusable` unless the database has exactly the current version: a reader cannot migrate. */
export function requireCurrent(db: Database, file: string): void {
  const known = newest(readMigrations());
  const version = versionOf(db, file, known);
  if (version === 0) {
    throw new StateUnusable(
      `The state file ${file} is empty. Restore a backup with bugferry state restore FILE; without one, start the bridge once: it finds the pairs again.`,
    );
  }
  if (version < known) {
    throw new StateUnusable(
      `The state file ${file} was written by an older bugferry. Start the bridge once to upgrade it.`,
    );
  }
}

const newest = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** The version of a state file. Throws `StateUnusable` if it is too new, too old, or not a state file. */
export function versionOf(db: Database, file: string, known: number = newest(readMigrations())): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > known) {
    throw new StateUnusable(
      `The state file ${file} was written by a newer bugferry (its version is ${version}, this program supports ${known}). ` +
        `Install that version again. To downgrade, restore the copy from before the upgrade: bugferry state restore ${backupBefore(file, known)}`,
    );
  }
  if (version > 0 && version <= retired && known > retired) {
    throw new StateUnusable(
      `The state file ${file} was written before the first release of bugferry (its version is ${version}), and cannot be upgraded. ` +
        `Move it away and keep it as a backup. Then run bugferry adopt, which reads both sides, pairs everything again, and writes to neither.`,
    );
  }
  if (version === 0 && db.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw new StateUnusable(`The file ${file} is a database of another program. Give bugferry its own state file.`);
  }
  return version;
}

/** The text of each is read when it runs: most starts run none. */
function readMigrations(): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(name.slice(0, 3));
    if (number !== index + 1) throw new Error(`Migration ${name} is out of order: expected number ${index + 1}`);
    return {
      version: retired + number,
      get sql() {
        return readFileSync(new URL(name, folder), 'utf8');
      },
    };
  });
}

/**
 * Throws `StateUnusable` if the database is damaged. The quick check reads every page but compares no index with its
 * table, which is fast enough for a start; the thorough one takes several times as long. Source:
 * sqlite.org/pragma.html, integrity_check.
 */
export function requireWhole(db: Database, file: string, depth: 'quick' | 'thorough'): void {
  const found = db.pragma(depth === 'quick' ? 'quick_check(3)' : 'integrity_check(3)', { simple: false });
  const words = Array.isArray(found) ? found.flatMap((row: unknown) => wordsIn(row)) : [];
  if (depth === 'thorough') words.push(...strays(db));
  if (words.join() === 'ok') return;
  const reported = words.filter((each) => each !== 'ok').join('; ');
  throw new StateUnusable(
    `The state file ${file} is damaged (${reported}). Restore a backup with bugferry state restore FILE; ` +
      'without one, move the file away and run bugferry adopt to find the pairs again.',
  );
}

function wordsIn(row: unknown): readonly string[] {
  return typeof row === 'object' && row !== null ? Object.values(row).map(String) : [];
}

/** Rows that refer to a missing row. */
function strays(db: Database): readonly string[] {
  const found = db.pragma('foreign_key_check');
  return Array.isArray(found) && found.length > 0 ? [`${found.length} rows belong to links that are gone`] : [];
}
