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
  /** Hears that others could read the state, which was put right. */
  readonly warn?: (message: string) => void;
}

/**
 * Opens the state database in `file` (`:memory:` for one that nobody else sees).
 * Throws `StateLocked` when another process writes it, and `StateUnusable` when it is missing (to read), damaged, or from a newer program.
 */
export function openStore(file: string, { mode, now, scrub, warn }: OpenOptions): Store {
  const { db, close } = openDatabase(file, mode, warn);
  return sqliteStore(db, { now, scrub, close });
}
