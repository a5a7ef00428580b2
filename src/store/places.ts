import type { Database } from 'better-sqlite3';
import type { Places } from '../model/store.ts';

interface Row {
  readonly field: string;
  readonly place: string;
}

export function sqlitePlaces(db: Database): Places {
  const clear = db.prepare('delete from places where route = ?');
  const insert = db.prepare('insert into places (route, field, place) values (?, ?, ?)');
  const ofRoute = db.prepare<[string], Row>('select field, place from places where route = ? order by field');
  return {
    save(route, places) {
      db.transaction(() => {
        clear.run(route);
        for (const [field, place] of Object.entries(places)) insert.run(route, field, place);
      })();
    },
    ofRoute: (route) => Object.fromEntries(ofRoute.all(route).map(({ field, place }) => [field, place])),
  };
}
