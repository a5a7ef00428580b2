/** What is stored as a moment of our own clock, when that was set back since. */

import type { Database } from 'better-sqlite3';
import type { Moments } from '../../model/control.ts';
import { sides } from '../../model/ids.ts';

/** Clocks are corrected by less than this all the time. */
const leastMs = 1_000;

type Shift = Readonly<Record<'now' | 'ms', number>>;
type Ahead = Readonly<Record<'now' | 'ahead', number>>;

/** A moment that lies ahead comes nearer. */
const nearer = (...columns: readonly string[]): string =>
  columns.map((name) => `${name} = iif(${name} > @now, ${name} - @ms, ${name})`).join(', ');

/** A wait is as long again as it was when it was stored. */
const again = (...columns: readonly string[]): string =>
  [...columns.map((name) => `${name} = iif(${name} > @now, ${name} - (at - @now), ${name})`), 'at = @now'].join(', ');

export function sqliteMoments(db: Database): Moments {
  const nextRoute = db.prepare<[string], { readonly route: string | null }>(
    'select min(route) as route from cursors where route > ?',
  );
  const polled = db.prepare<[string], { readonly at: number }>(
    'select max(polled_at) as at from cursors where route = ?',
  );
  const [ofPolls, ofWaits] = [sincePolled(db), sinceStored(db)];

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
      const isSetBack = ms >= leastMs;
      const shown = { now, ahead: now + leastMs };
      if (!isSetBack && !ofWaits.areAhead(shown)) return;
      db.transaction(() => {
        if (isSetBack) ofPolls(names, { now, ms });
        ofWaits.follow(names, shown);
      })();
    },
  };
}

/** What does not say when it was stored comes nearer by as much as the last poll of a side lies ahead. */
function sincePolled(db: Database): (routes: readonly string[], shift: Shift) => void {
  const ofRoute = [
    `update cursors set ${nearer('polled_at')} where route = @route`,
    ...['planned', 'sent', 'parked'].map(
      (state) =>
        `update outbox set ${nearer('not_before_at', 'sent_at', 'waiting_since')} where route = @route and state = '${state}'
          and at is null and max(coalesce(not_before_at, 0), coalesce(sent_at, 0), coalesce(waiting_since, 0)) > @now`,
    ),
    `update set_aside set ${nearer('retry_at')} where route = @route and at is null`,
  ].map((sql) => db.prepare<[Shift & { readonly route: string }]>(sql));
  const ofSide = [
    `update pauses set ${nearer('until', 'asked_until')} where side = @side and at is null`,
    `update spent set ${nearer('at')} where side = @side and at > @now`,
  ].map((sql) => db.prepare<[Shift & { readonly side: string }]>(sql));
  return (routes, shift) => {
    for (const route of routes) for (const statement of ofRoute) statement.run({ route, ...shift });
    for (const side of sides) for (const statement of ofSide) statement.run({ side, ...shift });
  };
}

/**
 * What was stored at a moment that lies ahead was stored by a clock that is right again, perhaps within one cycle, so
 * that no poll tells. It counts as stored now: a wait never gets longer than it was.
 */
function sinceStored(db: Database) {
  const spentAhead = "side = @side and cost in ('create', 'edit', 'read') and at > @ahead";
  const ofAll = [
    `update set_aside set since_at = min(since_at, @now), ${again('retry_at')} where at > @ahead`,
    `update outbox set ${again('not_before_at', 'sent_at', 'waiting_since')} where at > @ahead`,
  ].map((sql) => db.prepare<[Ahead]>(sql));
  const ofSide = [
    `update pauses set ${again('until', 'asked_until')} where side = @side and at > @ahead`,
    `update spent set at = @now where ${spentAhead}`,
  ].map((sql) => db.prepare<[Ahead & { readonly side: string }]>(sql));
  const ofRoute = [
    `update links set tracker_met_at = @now where route = @route and state = 'live' and bug is not null
      and taken_from is null and tracker_met_at > @ahead`,
    `update links set github_met_at = @now where route = @route and state = 'live' and issue is not null
      and github_met_at > @ahead`,
  ].map((sql) => db.prepare<[Ahead & { readonly route: string }]>(sql));
  const receipts = db.prepare<[number], { readonly link: number; readonly content: string }>(
    'select link, content from receipts where at > ?',
  );
  const saveReceipt = db.prepare('update receipts set content = ?, at = ? where link = ?');
  const all = ['set_aside', 'outbox', 'receipts'].map((table) =>
    db.prepare<[number]>(`select 1 from ${table} where at > ? limit 1`),
  );
  const some = [
    'select 1 from pauses where side = @side and at > @ahead',
    `select 1 from spent where ${spentAhead}`,
  ].map((sql) => db.prepare<[{ readonly side: string; readonly ahead: number }]>(`${sql} limit 1`));
  return {
    areAhead: ({ ahead }: Ahead): boolean =>
      all.some((statement) => statement.get(ahead) !== undefined) ||
      sides.some((side) => some.some((statement) => statement.get({ side, ahead }) !== undefined)),
    follow(routes: readonly string[], shown: Ahead): void {
      for (const statement of ofAll) statement.run(shown);
      for (const side of sides) for (const statement of ofSide) statement.run({ side, ...shown });
      for (const route of routes) for (const statement of ofRoute) statement.run({ route, ...shown });
      for (const { link, content } of receipts.all(shown.ahead))
        saveReceipt.run(answeredBy(content, shown.now), shown.now, link);
    },
  };
}

/** A receipt none of whose answers lies ahead. */
const answeredBy = (content: string, now: number): string =>
  JSON.stringify(
    JSON.parse(content, (key, value: unknown) =>
      key === 'answeredAt' && typeof value === 'number' ? Math.min(value, now) : value,
    ),
  );
