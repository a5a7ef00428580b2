/** The reports for people: the ledger of writes, the open findings, and failed work. */

import type { Database } from 'better-sqlite3';
import { bugId, issueNumber, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Failed, Failures } from '../../model/outcome.ts';
import type { Conflict, Skip } from '../../model/plan/operation.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { Findings, Ledger, LedgerLine, Tally } from '../../model/store.ts';
import { cleanJson, readJson } from '../columns.ts';
import { stateTrouble } from '../trouble.ts';

interface LedgerRow {
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
  const ofLink = db.prepare<[LinkId], LedgerRow>('select * from ledger where link = ? order by id');
  const latest = db.prepare<[string, number], LedgerRow>(
    'select * from ledger where route = ? order by id desc limit ?',
  );
  const tally = db.prepare<[number, number, number], Tally>(`
    select at / cast(? as integer) * cast(? as integer) as slotAt, side as "on", kind, count(*) as count from ledger
    where at >= ? and side is not null and outcome = 'applied' group by slotAt, side, kind order by slotAt`);
  // Searches by time: otherwise, on a route without corrections, it would read all lines.
  const corrections = db.prepare<[string, number, number], LedgerRow>(`
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

function lineOf(row: LedgerRow): LedgerLine {
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

type Kind = 'conflict' | 'skip';

interface FindingColumns {
  readonly link: LinkId;
  readonly kind: Kind;
  readonly needsPerson: number;
  readonly at: number;
  readonly content: Clean;
}

interface FindingRow {
  readonly content: string;
}

export function sqliteFindings(db: Database, scrub: Scrub): Findings {
  const clear = db.prepare('delete from findings where link = ?');
  const insert = db.prepare<[FindingColumns]>(
    'insert into findings (link, kind, needs_person, at, content) values (@link, @kind, @needsPerson, @at, @content)',
  );
  const ofLink = db.prepare<[LinkId, Kind], FindingRow>(
    'select content from findings where link = ? and kind = ? order by id',
  );
  // Findings that need a person come first, then the newest. The cross join makes SQLite scan the findings, which are
  // few.
  const ofRoute = db.prepare<[Kind, string, number], FindingRow>(`
    select content from findings cross join links on links.id = findings.link
    where kind = ? and links.route = ? order by needs_person desc, at desc, findings.id limit ?`);
  // Nobody can decide a conflict of a hidden bug; whatever else needs a person is told whatever became of the pair.
  const open = db.prepare<[Kind, string], { readonly count: number }>(`
    select count(*) as count from findings cross join links on links.id = findings.link
    where kind = ? and needs_person = 1 and links.route = ? and (links.state = 'live' or links.frozen_by = 'github'
      or (links.state = 'frozen' and kind = 'skip'))`);
  const add = (link: LinkId, kind: Kind, needsPerson: boolean, at: number, content: Conflict | Skip) =>
    insert.run({ link, kind, needsPerson: needsPerson ? 1 : 0, at, content: cleanJson(scrub, content) });
  return {
    replace(link, conflicts, skips, at) {
      db.transaction(() => {
        clear.run(link);
        for (const conflict of conflicts) add(link, 'conflict', conflict.kept === null, at, conflict);
        for (const skip of skips) add(link, 'skip', skip.needsPerson, at, skip);
      })();
    },
    ofRoute: (route, limit) => ({
      conflicts: ofRoute.all('conflict', route, limit).map((row) => readJson<Conflict>(row.content)),
      skips: ofRoute.all('skip', route, limit).map((row) => readJson<Skip>(row.content)),
    }),
    open: (route) => ({
      conflicts: open.get('conflict', route)?.count ?? 0,
      skips: open.get('skip', route)?.count ?? 0,
    }),
    ofLink: (link) => ({
      conflicts: ofLink.all(link, 'conflict').map((row) => readJson<Conflict>(row.content)),
      skips: ofLink.all(link, 'skip').map((row) => readJson<Skip>(row.content)),
    }),
  };
}

const works: readonly Failed['of'][] = ['cycle', 'sweep', 'clock'];
const failureColumns = 'of, kind, side, why, since_at as sinceAt, at, count';

export function sqliteFailures(db: Database, scrub: Scrub): Failures {
  const save = db.prepare<[{ readonly route: string } & Failed]>(`
    insert or replace into failures (route, of, kind, side, why, since_at, at, count)
    values (@route, @of, @kind, @side, @why, @sinceAt, @at, @count)`);
  const remove = db.prepare('delete from failures where route = ? and of = ?');
  const kept = db.prepare<[string], Failed>(`select ${failureColumns} from failures where route = ? order by of`);
  // Failures that could not be written, by route and kind of work: this process still reports them.
  const unkept = new Map<string, Failed>();
  const nameOf = (route: string, of: Failed['of']) => `${of} ${route}`;
  const ofRoute = (route: string): readonly Failed[] => {
    const known = new Map(kept.all(route).map((each) => [each.of, each]));
    for (const work of works) {
      const failed = unkept.get(nameOf(route, work));
      if (failed !== undefined) known.set(work, failed);
    }
    return [...known.values()];
  };
  return {
    save(route, failed) {
      const before = ofRoute(route).find(({ of }) => of === failed.of);
      const row: Failed = {
        ...failed,
        why: scrub.words(failed.why),
        sinceAt: before?.sinceAt ?? failed.at,
        count: (before?.count ?? 0) + 1,
      };
      try {
        save.run({ route, ...row });
        unkept.delete(nameOf(route, row.of));
      } catch (error) {
        if (stateTrouble(error) === null) throw error;
        unkept.set(nameOf(route, row.of), row);
      }
    },
    remove(route, of) {
      if (!ofRoute(route).some((each) => each.of === of)) return;
      remove.run(route, of);
      unkept.delete(nameOf(route, of));
    },
    ofRoute,
  };
}
