import type { Database } from 'better-sqlite3';
import { type LinkId, linkId } from '../../model/ids.ts';
import type { OlderPair, OlderPairs } from '../../model/link.ts';
import { readJson, recordOrNull } from '../columns.ts';

interface Row {
  readonly link: number;
  readonly at: number;
  readonly tracker_at: number | null;
  readonly github_at: number | null;
  readonly settled: string;
  readonly agreed: string;
  readonly is_tracker_older: number;
}

const knownUntil = (side: string): string =>
  `(select read_at from cursors where cursors.route = links.route and side = '${side}')`;
/** Also of one end: its pair may be whole on both sides. */
const ifKept = "state <> 'tombstone'";
/** What was known of a pair that is marked already counts: it is older still. */
const ifMarked = 'on conflict (link) do update set at = @at, settled = excluded.settled';

/** Marks all pairs of a state that was put back: it knows each side until its last read. */
export function markAllOlder(db: Database, at: number): void {
  db.prepare(
    `insert into older_pairs (link, at, tracker_at, github_at, settled)
      select id, @at, ${knownUntil('tracker')}, ${knownUntil('github')}, '{}' from links where ${ifKept} ${ifMarked}`,
  ).run({ at });
}

export function sqliteOlderPairs(db: Database): OlderPairs {
  const get = db.prepare<[LinkId], Row>('select * from older_pairs where link = ?');
  const settle = db.prepare('update older_pairs set settled = ? where link = ?');
  const agree = db.prepare('update older_pairs set agreed = ? where link = ?');
  const mark = db.prepare("insert into older_pairs (link, at, settled) values (?, ?, '{}') on conflict do nothing");
  const unmark = db.prepare('delete from older_pairs where link = ?');
  const markAll = db.prepare(
    `insert into older_pairs (link, at, tracker_at, github_at, settled)
      select id, @at, @tracker, @github, '{}' from links where route = @route and ${ifKept} ${ifMarked}`,
  );
  // What an older state knows of a bug may be what its tracker went back to.
  const markTrackerOlder = db.prepare(
    `insert into older_pairs (link, at, tracker_at, settled, is_tracker_older)
      select id, @at, tracker ->> '$.changedAt', '{}', 1 from links where route = @route and ${ifKept}
      on conflict (link) do update set at = @at, tracker_at = null, settled = '{}', is_tracker_older = 1
        where is_tracker_older = 0`,
  );
  const isMarkedSince = db.prepare(
    'select 1 from older_pairs cross join links on links.id = link where route = ? and at >= ? and is_tracker_older = 0 limit 1',
  );
  const clear = db.prepare(
    `delete from older_pairs where at < @before
      and exists (select 1 from links where id = older_pairs.link and route = @route and urgency = 0 and is_withdrawn = 0)
      and not exists (select 1 from outbox where outbox.link = older_pairs.link)
      and not exists (select 1 from findings where findings.link = older_pairs.link and kind = 'conflict')`,
  );
  return {
    get: (link) => recordOrNull(get.get(link), pairOf),
    settle(link, settled) {
      settle.run(JSON.stringify(settled), link);
    },
    agree(link, agreed) {
      agree.run(JSON.stringify(agreed), link);
    },
    mark(link, at) {
      mark.run(link, at);
    },
    unmark(link) {
      unmark.run(link);
    },
    markAll(route, at, known) {
      markAll.run({ route, at, ...known });
    },
    markTrackerOlder(route, at) {
      markTrackerOlder.run({ route, at });
    },
    isMarkedSince: (route, at) => isMarkedSince.get(route, at) !== undefined,
    clear(route, before) {
      clear.run({ route, before });
    },
  };
}

const pairOf = (row: Row): OlderPair => ({
  link: linkId(row.link),
  at: row.at,
  knownUntil: { tracker: row.tracker_at, github: row.github_at },
  agreed: readJson(row.agreed),
  settled: readJson(row.settled),
  isTrackerOlder: row.is_tracker_older === 1,
});
