import type { Database } from 'better-sqlite3';
import type { Refusals, Refused } from '../model/store.ts';

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
