import type { Database } from 'better-sqlite3';
import type { LinkState } from '../../model/link.ts';
import type { LinkCount } from '../../model/store.ts';

/** Counts the links of a route. What waits is counted by what waits, however many pairs there are. */
export function linkCounter(db: Database): (route: string) => LinkCount {
  const byState = db.prepare<
    [string],
    { readonly state: LinkState; readonly links: number } & Record<'whole' | 'bugs' | 'issues', number>
  >(
    `select state, count(*) as links, sum(bug is not null and issue is not null) as whole,
       sum(bug is not null and issue is null) as bugs, sum(bug is null and issue is not null) as issues
     from links where route = ? group by state`,
  );
  const wanted = "from links where route = @route and urgency > 0 and state <> 'tombstone'";
  const wanting = db.prepare<{ route: string }, { readonly links: number }>(`select count(*) as links ${wanted}`);
  const waiting = db.prepare<{ route: string }, { readonly links: number }>(
    `select count(*) as links from (select id ${wanted}
       union select link from outbox where route = @route and state in ('planned', 'sent'))`,
  );
  const halves = db.prepare<{ route: string }, { readonly tracker: number; readonly github: number }>(
    `select sum(issue is null) as tracker, sum(bug is null) as github ${wanted}
       and state = 'live' and (bug is null or issue is null)`,
  );
  return (route) => {
    const rows = byState.all(route);
    const linksIn = (state: LinkState) => rows.find((row) => row.state === state)?.links ?? 0;
    const live = rows.find((row) => row.state === 'live');
    return {
      byState: { live: linksIn('live'), frozen: linksIn('frozen'), tombstone: linksIn('tombstone') },
      whole: live?.whole ?? 0,
      alone: { tracker: live?.bugs ?? 0, github: live?.issues ?? 0 },
      wanting: wanting.get({ route })?.links ?? 0,
      waiting: waiting.get({ route })?.links ?? 0,
      halves: { tracker: halves.get({ route })?.tracker ?? 0, github: halves.get({ route })?.github ?? 0 },
    };
  };
}
