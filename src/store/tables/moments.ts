import type { Database } from 'better-sqlite3';
import type { Moments } from '../../model/control.ts';
import { sides } from '../../model/ids.ts';

/** Clocks are corrected by less than this all the time. */
const leastMs = 1_000;

type Shift = Readonly<Record<'now' | 'ms', number>>;

/** A moment that lies ahead comes nearer. */
const nearer = (...columns: readonly string[]): string =>
  columns.map((name) => `${name} = iif(${name} > @now, ${name} - @ms, ${name})`).join(', ');

export function sqliteMoments(db: Database): Moments {
  const nextRoute = db.prepare<[string], { readonly route: string | null }>(
    'select min(route) as route from cursors where route > ?',
  );
  const polled = db.prepare<[string], { readonly at: number }>(
    'select max(polled_at) as at from cursors where route = ?',
  );
  const ofRoute = [
    `update cursors set ${nearer('polled_at')} where route = @route`,
    ...['planned', 'sent', 'parked'].map(
      (state) =>
        `update outbox set ${nearer('not_before_at', 'sent_at', 'waiting_since')} where route = @route and state = '${state}'
          and max(coalesce(not_before_at, 0), coalesce(sent_at, 0), coalesce(waiting_since, 0)) > @now`,
    ),
    `update set_aside set ${nearer('retry_at')} where route = @route`,
  ].map((sql) => db.prepare<[Shift & { readonly route: string }]>(sql));
  const ofSide = [
    `update pauses set ${nearer('until', 'asked_until')} where side = @side`,
    `update spent set ${nearer('at')} where side = @side and at > @now`,
  ].map((sql) => db.prepare<[Shift & { readonly side: string }]>(sql));

  function routes(): readonly string[] {
    const names: string[] = [];
    for (let route = nextRoute.get('')?.route ?? null; route !== null; route = nextRoute.get(route)?.route ?? null)
      names.push(route);
    return names;
  }

  return {
    followClock(now) {
      const names = routes();
      const ms = Math.max(0, ...names.map((route) => polled.get(route)?.at ?? 0)) - now;
      if (ms < leastMs) return;
      db.transaction(() => {
        for (const route of names) for (const statement of ofRoute) statement.run({ route, now, ms });
        for (const side of sides) for (const statement of ofSide) statement.run({ side, now, ms });
      })();
    },
  };
}
