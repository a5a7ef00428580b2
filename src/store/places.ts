import type { Database } from 'better-sqlite3';
import type { Places } from '../model/store.ts';

interface Row {
  readonly field: string;
  readonly name: string;
  readonly field_id: number | null;
}

export function sqlitePlaces(db: Database): Places {
  const clear = db.prepare('delete from places where route = ?');
  const insert = db.prepare('insert into places (route, field, name, field_id) values (?, ?, ?, ?)');
  const ofRoute = db.prepare<[string], Row>('select field, name, field_id from places where route = ? order by field');
  return {
    save(route, places) {
      db.transaction(() => {
        clear.run(route);
        for (const [field, { name, fieldId }] of Object.entries(places)) insert.run(route, field, name, fieldId);
      })();
    },
    ofRoute: (route) => Object.fromEntries(ofRoute.all(route).map(({ field, name, field_id: fieldId }) => [field, { name, fieldId }])),
  };
}
