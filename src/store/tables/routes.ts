/** What is kept for a route or a side as a whole: places, refusals, and what it spent. */

import type { Database } from 'better-sqlite3';
import type { Dashboards, KeptDashboard, Pause, Pauses } from '../../model/control.ts';
import type { Side } from '../../model/ids.ts';
import type { Places } from '../../model/route.ts';
import type { Backoff, Clean, Cost, FoundLimit, Scrub } from '../../model/runtime.ts';
import type { Budgets, Refusals, Refused, Spent } from '../../model/store.ts';
import { type Greetings, type Retirement, type Retirements, tokenEnd } from '../../model/survey.ts';
import { cleanOrNull } from '../columns.ts';

interface PlaceRow {
  readonly field: string;
  readonly name: string;
  readonly field_id: number | null;
}

export function sqlitePlaces(db: Database): Places {
  const clear = db.prepare('delete from places where route = ?');
  const insert = db.prepare('insert into places (route, field, name, field_id) values (?, ?, ?, ?)');
  const ofRoute = db.prepare<[string], PlaceRow>(
    'select field, name, field_id from places where route = ? order by field',
  );
  return {
    save(route, places) {
      db.transaction(() => {
        clear.run(route);
        for (const [field, { name, fieldId }] of Object.entries(places)) insert.run(route, field, name, fieldId);
      })();
    },
    ofRoute: (route) =>
      Object.fromEntries(ofRoute.all(route).map(({ field, name, field_id: fieldId }) => [field, { name, fieldId }])),
  };
}

export function sqliteRefusals(db: Database): Refusals {
  const save = db.prepare('insert or replace into refusals (route, of, at, why) values (@route, @of, @at, @why)');
  const remove = db.prepare('delete from refusals where route = ? and of = ?');
  const ofRoute = db.prepare<[string], Refused>('select of, at, why from refusals where route = ? order by at, of');
  return {
    save(route, { of, at, why }) {
      save.run({ route, of, at, why });
    },
    remove(route, of) {
      remove.run(route, of);
    },
    ofRoute: (route) => ofRoute.all(route),
  };
}

export function sqlitePauses(db: Database, scrub: Scrub): Pauses {
  const save = db.prepare(
    'insert into rests (route, at, why) values (@route, @at, @why) on conflict (route) do update set why = excluded.why',
  );
  const remove = db.prepare('delete from rests where route = ?');
  const of = db.prepare<[string], Pause>('select at, why from rests where route = ?');
  return {
    save(route, { at, why }) {
      save.run({ route, at, why: cleanOrNull(scrub, why) });
    },
    remove(route) {
      remove.run(route);
    },
    of: (route) => of.get(route) ?? null,
  };
}

export function sqliteDashboards(db: Database): Dashboards {
  const save = db.prepare(
    'insert or replace into dashboards (route, issue, digest, sent_at) values (@route, @issue, @digest, @sentAt)',
  );
  const of = db.prepare<[string], KeptDashboard>(
    'select issue, digest, sent_at as sentAt from dashboards where route = ?',
  );
  return {
    of: (route) => of.get(route) ?? null,
    save(route, { issue, digest, sentAt }) {
      save.run({ route, issue, digest, sentAt });
    },
  };
}

/** Longer than the longest window of any limit. */
const keptMs = 2 * 3_600_000;

const limitColumns = `window_ms as windowMs, passed as passedMax, allowed as allowedMax, filled_at as filledAt, passed_at as passedAt,
  refused_at as refusedAt, forgotten_at as forgottenAt`;

const longestBackoffMs = 24 * 3_600_000;

export function sqliteBudgets(db: Database, now: () => number, scrub: Scrub): Budgets {
  const insert = db.prepare('insert into spent (side, at, cost, points) values (@side, @at, @cost, @points)');
  const prune = db.prepare('delete from spent where side = ? and cost = ? and at < ?');
  const since = db.prepare<[Side, number, string], Spent>(
    'select at, points from spent where side = ? and at >= ? and cost in (select value from json_each(?)) order by at',
  );
  const within = db.prepare<[Side, Cost, number, number], { readonly points: number }>(
    'select coalesce(sum(points), 0) as points from spent where side = ? and cost = ? and at > ? and at < ?',
  );
  // No backoff is longer than a day: one that ends later was stored before the clock was put back.
  const isStale = `pauses.until - excluded.until > ${longestBackoffMs}`;
  // If a side asks for two backoffs at once, the one that ends last counts.
  const backOff = db.prepare<
    [{ readonly side: Side; readonly at: number } & Omit<Backoff, 'why'> & { readonly why: Clean }]
  >(`
    insert into pauses (side, until, asked_until, why, times, at) values (@side, @until, @askedUntil, @why, @times, @at)
    on conflict (side) do update set
      at = iif(excluded.until > pauses.until or ${isStale}, excluded.at, pauses.at),
      why = iif(excluded.until > pauses.until or ${isStale}, excluded.why, pauses.why),
      times = iif(excluded.until > pauses.until or ${isStale}, excluded.times, pauses.times),
      until = iif(${isStale}, excluded.until, max(excluded.until, pauses.until)),
      asked_until = iif(${isStale}, excluded.asked_until, max(excluded.asked_until, pauses.asked_until))`);
  const lastBackoff = db.prepare<[Side], Backoff>(
    'select until, asked_until as askedUntil, why, times from pauses where side = ?',
  );
  const calm = db.prepare<[Side]>('update pauses set times = 0, until = asked_until where side = ? and times > 0');
  const backoffOf = db.prepare<[Side, number], Omit<Backoff, 'times'>>(
    `select until, asked_until as askedUntil, why from pauses where side = ? and until - ? between 1 and ${longestBackoffMs}`,
  );
  const keepLimit = db.prepare<[{ readonly side: Side } & FoundLimit]>(`
    insert or replace into found_limits (side, window_ms, passed, allowed, filled_at, passed_at, refused_at, forgotten_at)
    values (@side, @windowMs, @passedMax, @allowedMax, @filledAt, @passedAt, @refusedAt, @forgottenAt)`);
  const foundLimits = db.prepare<[Side], FoundLimit>(
    `select ${limitColumns} from found_limits where side = ? order by window_ms`,
  );
  const pointsWithin = (side: Side, cost: Cost, from: number, to: number): number =>
    within.get(side, cost, from, to)?.points ?? 0;
  // What a window held when it was last counted, and was given since: it holds no more. What lies ahead counts, too, as
  // it comes nearer when the clock was put back.
  const counted = new Map<string, { readonly of: string; readonly at: number; points: number }>();
  return {
    spend(side, cost, { at, points }) {
      insert.run({ side, at, cost, points });
      prune.run(side, cost, at - keptMs);
      for (const each of counted.values()) if (each.of === side + cost) each.points += points;
    },
    since: (side, costs, at) => since.all(side, at, JSON.stringify(costs)),
    within: (side, cost, at, windowMs) => pointsWithin(side, cost, at - windowMs, at + windowMs),
    isBelow(side, cost, at, windowMs, pointsMax) {
      const key = `${side} ${cost} ${windowMs}`;
      const known = counted.get(key);
      if (known !== undefined && known.at <= at && known.points < pointsMax) return true;
      const points = pointsWithin(side, cost, at - windowMs, Number.MAX_SAFE_INTEGER);
      counted.set(key, { of: side + cost, at, points });
      return points < pointsMax || pointsWithin(side, cost, at - windowMs, at + windowMs) < pointsMax;
    },
    keepLimit(side, found) {
      keepLimit.run({ side, ...found });
    },
    foundLimits: (side) => foundLimits.all(side),
    backOff(side, until, why, { askedUntil = until, times = 1 } = {}) {
      backOff.run({ side, until, askedUntil, why: scrub.words(why), times, at: now() });
    },
    lastBackoff: (side) => lastBackoff.get(side) ?? null,
    calm(side) {
      calm.run(side);
    },
    backoffOf: (side, now) => backoffOf.get(side, now) ?? null,
  };
}

export function sqliteRetirements(db: Database): Retirements {
  const save = db.prepare(
    'insert or replace into retirements (side, since_at, ends_at) values (@side, @sinceAt, @endsAt)',
  );
  const remove = db.prepare<[Side]>('delete from retirements where side = ?');
  const ofSide = db.prepare<[Side], Retirement>(
    'select since_at as sinceAt, ends_at as endsAt from retirements where side = ?',
  );
  return {
    save(side, retirement) {
      if (retirement === null) remove.run(side);
      else save.run({ side, ...retirement });
    },
    ofSide: (side) => ofSide.get(side) ?? null,
  };
}

export function sqliteGreetings(db: Database): Greetings {
  const get = db.prepare<[string], { readonly at: number; readonly content: string }>(
    'select at, content from greetings where name = ?',
  );
  const toldAt = db.prepare<[string], { readonly at: number }>('select at from greetings where name = ?');
  const save = db.prepare('insert or replace into greetings (name, at, content) values (?, ?, ?)');
  const clear = db.prepare('delete from greetings where name < ? or name > ?');
  return {
    get(name) {
      const row = get.get(name);
      return row === undefined ? null : { at: row.at, content: JSON.parse(row.content) };
    },
    toldAt: (name) => toldAt.get(name)?.at ?? null,
    save(name, { at, content }) {
      save.run(name, at, JSON.stringify(content));
    },
    clear() {
      clear.run(tokenEnd, tokenEnd);
    },
  };
}
