import type { Database } from 'better-sqlite3';
import type { Side } from '../../model/ids.ts';
import type { BlockedRow, SetAside, SetAsides } from '../../model/outcome.ts';
import type { Scrub } from '../../model/runtime.ts';

const columns =
  'route, side, ref, comment, stage, cause, why, since_at as sinceAt, count, retry_at as retryAt, content, version';

/** What stands for the item as a whole, in place of the number of a comment. */
const whole = -1;

type Row = SetAside & { readonly comment: number };

const itemIn = ({ comment, ...row }: Row): SetAside => (comment === whole ? row : { ...row, comment });

export function sqliteSetAsides(db: Database, now: () => number, scrub: Scrub): SetAsides {
  const put = db.prepare<[Parameters<SetAsides['put']>[0]]>(`
    insert into set_aside (route, side, ref, comment, stage, cause, why, since_at, count, retry_at, content, version, at)
    values (@route, @side, @ref, @comment, @stage, @cause, @why, @at, 1, @retryAt, @content, @version, @at)
    on conflict (route, side, ref, comment) do update set
      stage = excluded.stage, cause = excluded.cause, why = excluded.why, count = count + 1, retry_at = excluded.retry_at,
      content = excluded.content, version = excluded.version, at = excluded.at`);
  const revise = db.prepare<[SetAside & { readonly at: number }]>(`
    update set_aside set cause = @cause, why = @why, retry_at = @retryAt, content = @content, version = @version,
      at = @at
    where route = @route and side = @side and ref = @ref and comment = @comment`);
  const get = db.prepare<[string, Side, number, number], Row>(
    `select ${columns} from set_aside where route = ? and side = ? and ref = ? and comment = ?`,
  );
  const comments = db.prepare<[string, Side, number, number], Row>(
    `select ${columns} from set_aside where route = ? and side = ? and ref = ? and comment > ?`,
  );
  const ofRoute = db.prepare<[string], Row>(
    `select ${columns} from set_aside where route = ? order by since_at, side, ref, comment`,
  );
  const block = db.prepare<[BlockedRow]>(`
    insert into blocked_rows (route, side, ref, row, version) values (@route, @side, @ref, @row, @version)
    on conflict (route, side, ref, row) do update set version = excluded.version`);
  const blocked = db.prepare<[BlockedRow]>(
    `select 1 from blocked_rows
     where route = @route and side = @side and ref = @ref and row = @row and version = @version`,
  );
  const unblock = db.prepare('delete from blocked_rows where route = ? and side = ? and ref = ?');
  const remove = db.prepare('delete from set_aside where route = ? and side = ? and ref = ? and comment = ?');
  const [rows, blockedRows] = [emptiness(db, 'set_aside'), emptiness(db, 'blocked_rows')];
  return {
    put({ route, side, ref, comment = whole, stage, cause, why, at, retryAt, content, version }) {
      rows.add();
      put.run({ route, side, ref, comment, stage, cause, why: scrub.words(why), at, retryAt, content, version });
    },
    revise: ({ comment = whole, ...row }) => void revise.run({ ...row, comment, why: scrub.words(row.why), at: now() }),
    get(route, side, ref, comment = whole) {
      const row = rows.isEmpty() ? undefined : get.get(route, side, ref, comment);
      return row === undefined ? null : itemIn(row);
    },
    comments: (route, side, ref) => (rows.isEmpty() ? [] : comments.all(route, side, ref, whole).map(itemIn)),
    ofRoute: (route) => ofRoute.all(route).map(itemIn),
    block({ route, side, ref, row, version }) {
      blockedRows.add();
      block.run({ route, side, ref, row, version });
    },
    isBlocked: (item) => !blockedRows.isEmpty() && blocked.get(item) !== undefined,
    unblock(route, side, ref) {
      blockedRows.remove();
      return unblock.run(route, side, ref).changes > 0;
    },
    remove(route, side, ref, comment = whole) {
      rows.remove();
      remove.run(route, side, ref, comment);
    },
  };
}

/**
 * Whether a table has no rows. These two are asked many times for each item, and hardly ever have any. A transaction
 * may be undone, and another process may write to what we only read, so nothing is learned then.
 */
function emptiness(db: Database, table: 'set_aside' | 'blocked_rows') {
  const any = db.prepare(`select 1 from ${table} where route >= '' limit 1`);
  let isEmpty: boolean | null = null;
  return {
    isEmpty(): boolean {
      if (isEmpty === null && !db.inTransaction && !db.readonly) isEmpty = any.get() === undefined;
      return isEmpty === true;
    },
    add() {
      isEmpty = false;
    },
    remove() {
      isEmpty = isEmpty === true ? true : null;
    },
  };
}
