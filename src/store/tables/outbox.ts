/** Operations that are to be performed, and receipts of those that the tracker said it stored. */

import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import type { LinkId } from '../../model/ids.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { Outbox, OutboxRow, OutboxState } from '../../model/plan/outbox.ts';
import type { Receipt, Receipts } from '../../model/receipt.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import { cleanOrNull, readJson, recordOrNull } from '../columns.ts';

interface Row {
  readonly number: number;
  readonly key: string;
  readonly route: string;
  readonly operation: string;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly not_before_at: number | null;
  readonly sent_at: number | null;
  readonly waiting_since: number | null;
  readonly why: string | null;
}

/** How many rows are read at a time where all are read one after the other. */
const partSize = 200;

export function sqliteOutbox(db: Database, now: () => number, scrub: Scrub): Outbox {
  const remove = db.prepare('delete from outbox where key = ?');
  const count = db.prepare<[string], { readonly state: OutboxState; readonly rows: number }>(
    'select state, count(*) as rows from outbox where route = ? group by state',
  );
  const reads = readings(db);
  return {
    ...reads,
    replace: replacing(db),
    mark: marking(db, now, scrub),
    remove(key) {
      remove.run(key);
    },
    count(route) {
      const states = { planned: 0, sent: 0, parked: 0 };
      for (const { state, rows } of count.all(route)) states[state] = rows;
      return states;
    },
  };
}

function readings(
  db: Database,
): Pick<Outbox, 'due' | 'sent' | 'eachSent' | 'parked' | 'putOff' | 'ofLink' | 'get' | 'byNumber'> {
  // No row waits longer than three days: a later due time was stored before the clock was put back.
  const due = db.prepare<[string, number], Row>(
    `select * from outbox where route = ? and state = 'planned'
      and not coalesce(not_before_at - ? between 1 and ${72 * 3_600_000}, 0) order by position`,
  );
  const inState = db.prepare<[string, OutboxState], Row>(
    'select * from outbox where route = ? and state = ? order by position',
  );
  const sentAfter = db.prepare<[string, number, number], Row & { readonly position: number }>(
    "select * from outbox where route = ? and state = 'sent' and position > ? order by position limit ?",
  );
  const putOff = db.prepare<[string, number], Row>(
    `select * from outbox where route = ? and state = 'planned' and not_before_at is not null and why is not null order by position limit ?`,
  );
  const ofLink = db.prepare<[LinkId], Row>('select * from outbox where link = ? order by position');
  const ofLinkInState = db.prepare<[LinkId, OutboxState], Row>(
    'select * from outbox where link = ? and state = ? order by position',
  );
  const get = db.prepare<[string], Row>('select * from outbox where key = ?');
  const byNumber = db.prepare<[number], Row>('select * from outbox where number = ?');
  return {
    due: (route, now) => due.all(route, now).map(rowOf),
    sent: (route) => inState.all(route, 'sent').map(rowOf),
    *eachSent(route) {
      for (let last = 0, isMore = true; isMore; ) {
        const rows = sentAfter.all(route, last, partSize);
        yield* rows.map(rowOf);
        last = rows.at(-1)?.position ?? 0;
        isMore = rows.length === partSize;
      }
    },
    parked: (route) => inState.all(route, 'parked').map(rowOf),
    putOff: (route, limit) => putOff.all(route, limit).map(rowOf),
    ofLink: (link, state) => (state === undefined ? ofLink.all(link) : ofLinkInState.all(link, state)).map(rowOf),
    get: (key) => recordOrNull(get.get(key), rowOf),
    byNumber: (number) => recordOrNull(byNumber.get(number), rowOf),
  };
}

function replacing(db: Database): Outbox['replace'] {
  const unsentOf = db.prepare<[LinkId], { readonly key: string }>(
    "select key from outbox where link = ? and state <> 'sent'",
  );
  const drop = db.prepare('delete from outbox where key = ?');
  const lastPosition = db.prepare<[], { readonly position: number | null }>(
    'select max(position) as position from outbox',
  );
  const put = putting(db);
  return (route, links, operations) => {
    db.transaction(() => {
      const wanted = new Set(operations.map(({ key }) => key));
      for (const link of links) {
        for (const { key } of unsentOf.all(link)) if (!wanted.has(key)) drop.run(key);
      }
      let position = lastPosition.get()?.position ?? 0;
      for (const operation of operations) {
        position += 1;
        put(route, operation, position);
      }
    })();
  };
}

/** Plans one operation at `position`; keeps the attempts of a row with the same key. */
function putting(db: Database): (route: string, operation: Operation, position: number) => void {
  const found = db.prepare<[string], Pick<Row, 'state' | 'operation'>>(
    'select state, operation from outbox where key = ?',
  );
  const insert = db.prepare(`
    insert into outbox (key, position, route, link, operation, state, attempts)
    values (@key, @position, @route, @link, @operation, 'planned', 0)`);
  const update = db.prepare(
    'update outbox set position = @position, route = @route, link = @link, operation = @operation where key = @key',
  );
  const remove = db.prepare('delete from outbox where key = ?');
  return (route, operation, position) => {
    const { key, link } = operation;
    const columns = { key, link, route, position, operation: JSON.stringify(operation) };
    const row = found.get(key);
    if (row?.state === 'sent') return;
    const isAnother = row?.state === 'parked' && !isSameJson(row.operation, columns.operation);
    if (isAnother) remove.run(key);
    (row === undefined || isAnother ? insert : update).run(columns);
  };
}

type Mark = Pick<OutboxRow, 'state' | 'attempts' | 'notBeforeAt' | 'sentAt' | 'waitingSince'> & {
  readonly key: string;
  readonly operation: string;
  readonly why: Clean | null;
  readonly at: number;
};

function marking(db: Database, now: () => number, scrub: Scrub): Outbox['mark'] {
  const get = db.prepare<[string], Row>('select * from outbox where key = ?');
  const update = db.prepare<[Mark]>(`
    update outbox set operation = @operation, state = @state, attempts = @attempts, not_before_at = @notBeforeAt, sent_at = @sentAt,
      waiting_since = @waitingSince, why = @why, at = @at
    where key = @key`);
  return (key, change) => {
    const row = get.get(key);
    // Ignoring this would be dangerous: the caller is about to send an operation that it believes to be marked as sent.
    if (row === undefined) throw new Error(`Operation ${key} cannot be marked: it is no longer in the outbox`);
    const { why, state, attempts, notBeforeAt, sentAt, waitingSince } = { ...withoutOperation(row), ...change };
    const operation = change.operation === undefined ? row.operation : JSON.stringify(change.operation);
    const texts = { operation, why: cleanOrNull(scrub, why) };
    update.run({ key, state, attempts, notBeforeAt, sentAt, waitingSince, ...texts, at: now() });
  };
}

/** Whether two JSON texts have the same value; the order of keys does not matter. */
const isSameJson = (one: string, other: string): boolean =>
  one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));

const rowOf = (row: Row): OutboxRow => ({ ...withoutOperation(row), operation: readJson(row.operation) });

function withoutOperation(row: Row): Omit<OutboxRow, 'operation'> {
  return {
    number: row.number,
    route: row.route,
    state: row.state,
    attempts: row.attempts,
    notBeforeAt: row.not_before_at,
    sentAt: row.sent_at,
    waitingSince: row.waiting_since,
    why: row.why,
  };
}

interface ReceiptRow {
  readonly content: string;
}

/** An earlier version kept none of pull requests. */
const receiptIn = ({ content }: ReceiptRow): Receipt => ({ ...noPulls, ...readJson<Receipt>(content) });

const noPulls: Pick<Receipt, 'pulls'> = { pulls: [] };

export function sqliteReceipts(db: Database, now: () => number): Receipts {
  const get = db.prepare<[LinkId], ReceiptRow>('select content from receipts where link = ?');
  const save = db.prepare('insert or replace into receipts (link, content, at) values (?, ?, ?)');
  const remove = db.prepare('delete from receipts where link = ?');
  const ofRoute = db.prepare<[string], ReceiptRow>(
    'select content from receipts cross join links on links.id = receipts.link where links.route = ? order by link',
  );
  return {
    get: (link) => recordOrNull(get.get(link), receiptIn),
    save(receipt) {
      save.run(receipt.link, JSON.stringify(receipt), now());
    },
    remove(link) {
      remove.run(link);
    },
    ofRoute: (route) => ofRoute.all(route).map(receiptIn),
  };
}
