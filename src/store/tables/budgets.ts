import type { Database } from 'better-sqlite3';
import type { Side } from '../../model/ids.ts';
import type { Clean, Pause, Scrub } from '../../model/runtime.ts';
import type { Budgets, Spent } from '../../model/store.ts';

/** The longest window of any limit. */
const keptMs = 3_600_000;

export function sqliteBudgets(db: Database, scrub: Scrub): Budgets {
  const insert = db.prepare('insert into spent (side, at, cost, points) values (@side, @at, @cost, @points)');
  const prune = db.prepare('delete from spent where side = ? and at < ?');
  const since = db.prepare<[Side, number, string], Spent>(
    'select at, points from spent where side = ? and at >= ? and cost in (select value from json_each(?)) order by at',
  );
  // If a side asks for two pauses at once, the one that ends last counts.
  const pause = db.prepare<[{ readonly side: Side } & Omit<Pause, 'why'> & { readonly why: Clean }]>(`
    insert into pauses (side, until, asked_until, why, times) values (@side, @until, @askedUntil, @why, @times)
    on conflict (side) do update set
      why = iif(excluded.until > pauses.until, excluded.why, pauses.why),
      times = iif(excluded.until > pauses.until, excluded.times, pauses.times),
      until = max(excluded.until, pauses.until),
      asked_until = max(excluded.asked_until, pauses.asked_until)`);
  const lastPause = db.prepare<[Side], Pause>('select until, asked_until as askedUntil, why, times from pauses where side = ?');
  const calm = db.prepare<[Side]>('update pauses set times = 0, until = asked_until where side = ? and times > 0');
  const pauseOf = db.prepare<[Side, number], Omit<Pause, 'times'>>(
    'select until, asked_until as askedUntil, why from pauses where side = ? and until > ?',
  );
  return {
    spend(side, cost, { at, points }) {
      db.transaction(() => {
        insert.run({ side, at, cost, points });
        prune.run(side, at - keptMs);
      })();
    },
    since: (side, costs, at) => since.all(side, at, JSON.stringify(costs)),
    pause(side, until, why, { askedUntil = until, times = 1 } = {}) {
      pause.run({ side, until, askedUntil, why: scrub.words(why), times });
    },
    lastPause: (side) => lastPause.get(side) ?? null,
    calm(side) {
      calm.run(side);
    },
    pauseOf: (side, now) => pauseOf.get(side, now) ?? null,
  };
}
