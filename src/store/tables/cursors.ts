import type { Database } from 'better-sqlite3';
import type { Side } from '../../model/ids.ts';
import type { CursorRow, Cursors } from '../../model/store.ts';

interface Row {
  readonly changes: string | null;
  readonly listing: string | null;
  readonly is_complete: number;
  readonly polled_at: number;
  readonly read_at: number;
  readonly swept_at: number | null;
}

export function sqliteCursors(db: Database): Cursors {
  const get = db.prepare<[string, Side], Row>('select * from cursors where route = ? and side = ?');
  const put = db.prepare(`
    insert or replace into cursors (route, side, changes, listing, is_complete, polled_at, read_at, swept_at)
    values (@route, @side, @changes, @listing, @is_complete, @polled_at, @read_at, @swept_at)`);
  return {
    get(route, side) {
      const row = get.get(route, side);
      return row === undefined ? null : cursorOf(row);
    },
    put(route, side, cursor) {
      put.run({ route, side, ...columnsOf(cursor) });
    },
  };
}

function cursorOf(row: Row): CursorRow {
  return {
    changes: row.changes,
    listing: row.listing,
    isComplete: row.is_complete === 1,
    polledAt: row.polled_at,
    readAt: row.read_at,
    sweptAt: row.swept_at,
  };
}

function columnsOf(cursor: CursorRow): Row {
  return {
    changes: cursor.changes,
    listing: cursor.listing,
    is_complete: cursor.isComplete ? 1 : 0,
    polled_at: cursor.polledAt,
    read_at: cursor.readAt,
    swept_at: cursor.sweptAt,
  };
}
