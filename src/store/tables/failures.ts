import type { Database } from 'better-sqlite3';
import type { Failed, Failures } from '../../model/outcome.ts';
import type { Scrub } from '../../model/runtime.ts';
import { stateTrouble } from '../trouble.ts';

const works: readonly Failed['of'][] = ['cycle', 'sweep'];
const columns = 'of, kind, side, why, since_at as sinceAt, at, count';

export function sqliteFailures(db: Database, scrub: Scrub): Failures {
  const save = db.prepare<[{ readonly route: string } & Failed]>(`
    insert or replace into failures (route, of, kind, side, why, since_at, at, count)
    values (@route, @of, @kind, @side, @why, @sinceAt, @at, @count)`);
  const remove = db.prepare('delete from failures where route = ? and of = ?');
  const kept = db.prepare<[string], Failed>(`select ${columns} from failures where route = ? order by of`);
  // Failures that could not be written, by route and kind of work: this process still reports them.
  const unkept = new Map<string, Failed>();
  const nameOf = (route: string, of: Failed['of']) => `${of} ${route}`;
  const ofRoute = (route: string): readonly Failed[] => {
    const known = new Map(kept.all(route).map((each) => [each.of, each]));
    for (const work of works) {
      const failed = unkept.get(nameOf(route, work));
      if (failed !== undefined) known.set(work, failed);
    }
    return [...known.values()];
  };
  return {
    save(route, failed) {
      const before = ofRoute(route).find(({ of }) => of === failed.of);
      const row: Failed = {
        ...failed,
        why: scrub.words(failed.why),
        sinceAt: before?.sinceAt ?? failed.at,
        count: (before?.count ?? 0) + 1,
      };
      try {
        save.run({ route, ...row });
        unkept.delete(nameOf(route, row.of));
      } catch (error) {
        if (stateTrouble(error) === null) throw error;
        unkept.set(nameOf(route, row.of), row);
      }
    },
    remove(route, of) {
      if (!ofRoute(route).some((each) => each.of === of)) return;
      remove.run(route, of);
      unkept.delete(nameOf(route, of));
    },
    ofRoute,
  };
}
