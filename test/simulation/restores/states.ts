import Sqlite, { type Database } from 'better-sqlite3';
import type { Scrub } from '../../../src/model/runtime.ts';
import type { Store } from '../../../src/model/store.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { sqliteStore } from '../../../src/store/open.ts';
import { markAllOlder } from '../../../src/store/tables/older-pairs.ts';
import { explainAll } from '../../../src/store/tables/unknown-writes.ts';
import { random } from '../../support/random.ts';

/** How a state comes back: as `bugferry state restore` does it, or as a volume does, of which nobody says anything. */
export type Return = 'told' | 'silent';

/** A state in memory, of which copies can be made and put back. */
export interface States {
  /** Always the state as it is now. */
  readonly store: Store;
  readonly db: () => Database;
  copy(): Buffer;
  /** Puts a copy back; an empty state instead if there is none. No process uses the former one any more. */
  putBack(copy: Buffer | null, how: Return): void;
  close(): void;
}

interface Rooms {
  readonly openDatabase: typeof openDatabase;
  readonly sqliteStore: typeof sqliteStore;
}

export function statesOf(now: () => number, scrub: Scrub, rooms: Rooms = { openDatabase, sqliteStore }): States {
  let current = open(null);
  function open(copy: Buffer | null): { readonly db: Database; readonly store: Store } {
    const db = copy === null ? rooms.openDatabase(':memory:', 'write').db : opened(copy);
    return { db, store: rooms.sqliteStore(db, { now, scrub, close: () => db.close() }) };
  }
  return {
    store: new Proxy(current.store, { get: (_first, name) => Reflect.get(current.store, name) }),
    db: () => current.db,
    copy: () => current.db.serialize(),
    close: () => current.store.close(),
    putBack(copy, how) {
      current.store.close();
      current = open(copy);
      if (how === 'silent') return;
      markAllOlder(current.db, now());
      explainAll(current.db, now());
    },
  };
}

function opened(copy: Buffer): Database {
  const db = new Sqlite(Buffer.from(copy));
  db.pragma('foreign_keys = on');
  return db;
}

/** States of any age that come back at any moment, or are lost. Draws of its own, so that other seeds run as they did. */
export function statesThatReturn(seed: number, states: Pick<States, 'copy' | 'putBack'>) {
  const draw = random(seed + 381_000_000);
  const copies: Buffer[] = [];
  let left = 3;
  return {
    copy(share: number): void {
      if (draw.chance(share)) copies.push(states.copy());
    },
    /** While no process runs. @returns whether something came back */
    goBack(): boolean {
      const how = draw.pick(['told', 'told', 'silent', 'lost'] as const);
      const copy = how === 'lost' ? null : copies[draw.below(copies.length)];
      if (left === 0 || copy === undefined || !draw.chance(0.25)) return false;
      left -= 1;
      states.putBack(copy, how === 'lost' ? 'silent' : how);
      return true;
    },
  };
}
