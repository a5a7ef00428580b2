import type { Store } from '../model/store.ts';
import { openDatabase, type StateMode } from './database.ts';
import { sqliteStore } from './store.ts';

export interface OpenOptions {
  readonly mode: StateMode;
  /** Our clock, epoch milliseconds: the one that times of sweeps are taken from. */
  readonly now: () => number;
}

/**
 * Opens the state database in `file` (`:memory:` for one that nobody else sees).
 * Throws `StateLocked` when another process writes it, and `StateUnusable` when it is missing (to read), damaged, or from a newer program.
 */
export function openStore(file: string, { mode, now }: OpenOptions): Store {
  const { db, close } = openDatabase(file, mode);
  return sqliteStore(db, { now, close });
}
