import type { Database } from 'better-sqlite3';
import { StateUnusable } from './unusable.ts';

/**
 * Throws `StateUnusable` when the database is damaged. The quick look reads every page and compares no index with its table, so it is
 * fit for a start; the thorough one takes several times as long. Source: sqlite.org/pragma.html, integrity_check.
 */
export function requireWhole(db: Database, file: string, look: 'quick' | 'thorough'): void {
  const found = db.pragma(look === 'quick' ? 'quick_check(3)' : 'integrity_check(3)', { simple: false });
  const words = Array.isArray(found) ? found.flatMap((row: unknown) => wordsIn(row)) : [];
  if (look === 'thorough') words.push(...strays(db));
  if (words.join() === 'ok') return;
  const told = words.filter((each) => each !== 'ok').join('; ');
  throw new StateUnusable(
    `The state file ${file} is damaged (${told}). Put a backup in its place with bugferry state restore FILE; ` +
      'without one, move it away and let bugferry adopt find the pairs again.',
  );
}

function wordsIn(row: unknown): readonly string[] {
  return typeof row === 'object' && row !== null ? Object.values(row).map(String) : [];
}

/** Rows that belong to a row that is not there. */
function strays(db: Database): readonly string[] {
  const found = db.pragma('foreign_key_check');
  return Array.isArray(found) && found.length > 0 ? [`${found.length} rows belong to links that are gone`] : [];
}
