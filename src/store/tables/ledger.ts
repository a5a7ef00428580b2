import type { Database } from 'better-sqlite3';
import { bugId, issueNumber, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { Ledger, LedgerLine, Tally } from '../../model/store.ts';
import { cleanJson, readJson } from '../json.ts';

interface Row {
  readonly at: number;
  readonly route: string;
  readonly link: number;
  readonly bug: number | null;
  readonly issue: number | null;
  readonly side: Side | null;
  readonly kind: LedgerLine['kind'];
  readonly outcome: string;
  readonly detail: string;
}

/** Lines are ordered by insertion, which a clock set back cannot disturb. */
export function sqliteLedger(db: Database, scrub: Scrub): Ledger {
  const insert = db.prepare<[Omit<LedgerLine, 'detail'> & { readonly detail: Clean }]>(`
    insert into ledger (at, route, link, bug, issue, side, kind, outcome, detail)
    values (@at, @route, @link, @bug, @issue, @on, @kind, @outcome, @detail)`);
  const ofLink = db.prepare<[LinkId], Row>('select * from ledger where link = ? order by id');
  const latest = db.prepare<[string, number], Row>('select * from ledger where route = ? order by id desc limit ?');
  const tally = db.prepare<[number, number, number], Tally>(`
    select at / cast(? as integer) * cast(? as integer) as slotAt, side as "on", kind, count(*) as count from ledger
    where at >= ? and side is not null and outcome = 'applied' group by slotAt, side, kind order by slotAt`);
  // Searches by time: otherwise, on a route without corrections, it would read all lines.
  const corrections = db.prepare<[string, number, number], Row>(`
    select * from ledger where +route = ? and at > ? and json_array_length(detail, '$.corrects') > 0 order by at desc, id desc limit ?`);
  return {
    add(line) {
      insert.run({ ...line, detail: cleanJson(scrub, line.detail) });
    },
    tally: (sinceAt, slotMs) => tally.all(slotMs, slotMs, sinceAt),
    ofLink: (link) => ofLink.all(link).map(lineOf),
    corrections: (route, sinceAt, limit) => corrections.all(route, sinceAt, limit).map(lineOf),
    latest: (route, limit) => latest.all(route, limit).map(lineOf),
  };
}

function lineOf(row: Row): LedgerLine {
  return {
    at: row.at,
    route: row.route,
    link: linkId(row.link),
    bug: row.bug === null ? null : bugId(row.bug),
    issue: row.issue === null ? null : issueNumber(row.issue),
    on: row.side,
    kind: row.kind,
    outcome: row.outcome,
    detail: readJson(row.detail),
  };
}
