import type { Database } from 'better-sqlite3';
import type { Side } from '../../model/ids.ts';
import type { CursorRow, Cursors } from '../../model/survey.ts';
import { recordOrNull } from '../columns.ts';

interface CursorColumns {
  readonly changes: string | null;
  readonly listing: string | null;
  readonly is_complete: number;
  readonly polled_at: number;
  readonly read_at: number;
  readonly swept_at: number | null;
  readonly early: string;
  readonly repository: number | null;
  readonly is_private: number | null;
  readonly has_more: number;
}

export function sqliteCursors(db: Database): Cursors {
  const get = db.prepare<[string, Side], CursorColumns>('select * from cursors where route = ? and side = ?');
  const put = db.prepare(`
    insert or replace into cursors
      (route, side, changes, listing, is_complete, polled_at, read_at, swept_at, early, repository, is_private, has_more) values
      (@route, @side, @changes, @listing, @is_complete, @polled_at, @read_at, @swept_at, @early, @repository, @is_private, @has_more)`);
  return {
    get: (route, side) => recordOrNull(get.get(route, side), cursorOf),
    put(route, side, cursor) {
      put.run({ route, side, ...columnsOf(cursor) });
    },
  };
}

const cursorOf = (row: CursorColumns): CursorRow => ({
  changes: row.changes,
  listing: row.listing,
  isComplete: row.is_complete === 1,
  polledAt: row.polled_at,
  readAt: row.read_at,
  sweptAt: row.swept_at,
  early: JSON.parse(row.early),
  ...(row.has_more === 1 ? { hasMore: true } : {}),
  ...(row.repository === null ? {} : { repository: row.repository }),
  ...(row.is_private === null ? {} : { isPrivate: row.is_private === 1 }),
});

const columnsOf = (cursor: CursorRow): CursorColumns => ({
  changes: cursor.changes,
  listing: cursor.listing,
  is_complete: cursor.isComplete ? 1 : 0,
  polled_at: cursor.polledAt,
  read_at: cursor.readAt,
  swept_at: cursor.sweptAt,
  early: JSON.stringify(cursor.early),
  repository: cursor.repository ?? null,
  is_private: cursor.isPrivate === undefined ? null : Number(cursor.isPrivate),
  has_more: Number(cursor.hasMore ?? false),
});
