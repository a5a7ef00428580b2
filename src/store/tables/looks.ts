/** How far sides were read, and whose bugs were looked at, whether they are still shown, and which were missed. */

import type { Database } from 'better-sqlite3';
import type { LinkId, Side } from '../../model/ids.ts';
import type { CursorRow, Cursors, LookReader, Looks, MirroredBug } from '../../model/survey.ts';
import { recordOrNull } from '../columns.ts';

/** Of an index each; a condition that an index has must be written as there. */
const mirrored = `state = 'live' and bug is not null
  and json_extract(tracker, '$.isPrivate') = 0 and json_extract(visibility_check, '$.isShown') is not 0`;
const mirroredColumns = "id, route, bug, json_extract(tracker, '$.product') as product";

/** Behind every bug. */
const noBug = Number.MAX_SAFE_INTEGER;

/** Has all mirrored bugs looked at from the first: nobody knows what was hidden since a state that was put back. */
export function forgetLooks(db: Database): void {
  db.prepare('delete from looks').run();
}

export function sqliteLooks(db: Database): Looks {
  const ofRoutes = 'route in (select value from json_each(@routes))';
  const after = db.prepare<[{ routes: string; from: number; to: number; most: number }], MirroredBug>(`
    select ${mirroredColumns} from links indexed by links_looked
    where bug > @from and bug <= @to and ${ofRoutes} and ${mirrored} order by bug limit @most`);
  const fresh = db.prepare<[{ routes: string; most: number }], MirroredBug>(`
    select ${mirroredColumns}, json_extract(tracker, '$.changedAt') as changedAt from links indexed by links_changed
    where json_extract(tracker, '$.changedAt') >= 0 and ${ofRoutes} and ${mirrored} order by json_extract(tracker, '$.changedAt') desc limit @most`);
  const newest = db.prepare<[{ routes: string; most: number }], MirroredBug>(`
    select ${mirroredColumns} from links indexed by links_looked
    where bug > 0 and ${ofRoutes} and ${mirrored} order by bug desc limit @most`);
  const last = db.prepare<[LookReader], { readonly last_bug: number; readonly turn: number }>(
    'select last_bug, turn from looks where reader = ? order by turn desc limit 1',
  );
  const oldest = db.prepare<[LookReader], { readonly at: number | null }>(
    'select at from looks where reader = ? order by turn limit 1',
  );
  const forget = db.prepare<[LookReader, number, number]>(
    'delete from looks where reader = ? and last_bug > ? and last_bug <= ?',
  );
  const add = db.prepare('insert or replace into looks (reader, last_bug, turn, at) values (?, ?, ?, ?)');
  const miss = db.prepare('insert or ignore into missed_links (link, route) values (@id, @route)');
  const missed = db.prepare<[string], { readonly link: LinkId }>(
    'select link from missed_links where route = ? order by link',
  );
  const settle = db.prepare('delete from missed_links where link = ?');
  return {
    inTurn(reader, names, most) {
      const routes = JSON.stringify(names);
      const from = last.get(reader)?.last_bug ?? 0;
      const ahead = after.all({ routes, from, to: noBug, most });
      return [...ahead, ...after.all({ routes, from: 0, to: from, most: most - ahead.length })];
    },
    fresh: (routes, most) => fresh.all({ routes: JSON.stringify(routes), most }),
    newest: (routes, most) => newest.all({ routes: JSON.stringify(routes), most }),
    moveOn(reader, bug, at) {
      const before = last.get(reader) ?? { last_bug: 0, turn: 0 };
      const to = bug ?? before.last_bug;
      db.transaction(() => {
        // The bugs that no look has reached are a stretch too, up to the end.
        if (before.turn === 0) add.run(reader, noBug, 0, null);
        if (bug !== null && to > before.last_bug) forget.run(reader, before.last_bug, to);
        else {
          forget.run(reader, before.last_bug, noBug);
          forget.run(reader, -1, to);
        }
        add.run(reader, to, before.turn + 1, at);
      })();
    },
    oldestAt: (reader) => oldest.get(reader)?.at ?? null,
    miss({ id, route }) {
      miss.run({ id, route });
    },
    missed: (route) => missed.all(route).map(({ link }) => link),
    settle(link) {
      settle.run(link);
    },
  };
}

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
