import type { Scrub } from '../model/scrub.ts';
import type { Store } from '../model/store.ts';
import { openDatabase, type StateMode } from './database.ts';
import { sqliteStore } from './store.ts';

export interface OpenOptions {
  readonly mode: StateMode;
  /** Our clock, epoch milliseconds: the one that times of sweeps are taken from. */
  readonly now: () => number;
  /** What the bridge writes down about its own work passes here; the texts that it carries do not. */
  readonly scrub: Scrub;
}

/**
 * Opens the state database in `file` (`:memory:` for one that nobody else sees).
 * Throws `StateLocked` when another process writes it, and `StateUnusable` when it is missing (to read), damaged, or from a newer program.
 */
export function openStore(file: string, { mode, now, scrub }: OpenOptions): Store {
  const { db, close } = openDatabase(file, mode);
  return sqliteStore(db, { now, scrub, close });
}
