import type { Database } from 'better-sqlite3';
import { type LinkId, linkId } from '../../model/ids.ts';
import type { Farewell, Farewells } from '../../model/migration.ts';

interface Row {
  readonly link: number;
  readonly was: string;
  readonly status: string;
  readonly resolution: string;
  readonly is_done: number;
}

export function sqliteFarewells(db: Database): Farewells {
  const get = db.prepare<[LinkId], Row>('select * from farewells where link = ?');
  const remove = db.prepare('delete from farewells where link = ?');
  const ofRoute = db.prepare<[string], Row>(
    'select farewells.* from farewells join links on links.id = farewells.link where links.route = ? order by link',
  );
  const save = db.prepare(`
    insert or replace into farewells (link, was, status, resolution, is_done)
    values (@link, @was, @status, @resolution, @isDone)`);
  return {
    get(link) {
      const row = get.get(link);
      return row === undefined ? null : farewellOf(row);
    },
    save({ link, was, status, resolution, isDone }) {
      save.run({ link, was, status, resolution, isDone: isDone ? 1 : 0 });
    },
    remove(link) {
      remove.run(link);
    },
    ofRoute: (route) => ofRoute.all(route).map(farewellOf),
  };
}

function farewellOf({ link, is_done: isDone, ...row }: Row): Farewell {
  return { ...row, link: linkId(link), isDone: isDone === 1 };
}
