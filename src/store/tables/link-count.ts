import type { Database } from 'better-sqlite3';
import type { LinkState } from '../../model/link.ts';
import type { LinkCount } from '../../model/store.ts';

interface CountRow {
  readonly state: LinkState;
  readonly has_bug: number;
  readonly has_issue: number;
  readonly links: number;
}

/** Counts the links of a route. What waits is counted by what waits, however many pairs there are. */
export function linkCounter(db: Database): (route: string) => LinkCount {
  const counted = db.prepare<[string], CountRow>(
    'select state, has_bug, has_issue, links from link_counts where route = ?',
  );
  const wanting = db.prepare<[string], { readonly links: number }>(
    "select count(*) as links from links indexed by links_wanting where route = ? and urgency > 0 and state <> 'tombstone'",
  );
  const writing = db.prepare<[string], { readonly links: number }>(
    `select count(distinct link) as links from outbox where route = ? and state in ('planned', 'sent')
       and not exists (select 1 from links where id = link and urgency > 0 and state <> 'tombstone')`,
  );
  const halves = db.prepare<[string], { readonly tracker: number; readonly github: number }>(
    `select sum(issue is null) as tracker, sum(bug is null) as github from links indexed by links_halves
       where route = ? and urgency > 0 and state = 'live' and (bug is null or issue is null)`,
  );
  return (route) => {
    const rows = counted.all(route);
    const sumOf = (isCounted: (row: CountRow) => boolean): number =>
      rows.reduce((sum, row) => sum + (isCounted(row) ? row.links : 0), 0);
    const linksIn = (state: LinkState): number => sumOf((row) => row.state === state);
    const liveWith = (bugs: number, issues: number): number =>
      sumOf(({ state, has_bug, has_issue }) => state === 'live' && has_bug === bugs && has_issue === issues);
    const waitingToBePlanned = wanting.get(route)?.links ?? 0;
    const ends = halves.get(route);
    return {
      byState: { live: linksIn('live'), frozen: linksIn('frozen'), tombstone: linksIn('tombstone') },
      whole: liveWith(1, 1),
      alone: { tracker: liveWith(1, 0), github: liveWith(0, 1) },
      wanting: waitingToBePlanned,
      waiting: waitingToBePlanned + (writing.get(route)?.links ?? 0),
      halves: { tracker: ends?.tracker ?? 0, github: ends?.github ?? 0 },
    };
  };
}
