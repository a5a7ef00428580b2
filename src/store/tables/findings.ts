import type { Database } from 'better-sqlite3';
import type { LinkId } from '../../model/ids.ts';
import type { Conflict, Skip } from '../../model/operation.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { Findings } from '../../model/store.ts';
import { cleanJson, readJson } from '../json.ts';

type Kind = 'conflict' | 'skip';

interface Columns {
  readonly link: LinkId;
  readonly kind: Kind;
  readonly needsPerson: number;
  readonly at: number;
  readonly content: Clean;
}

interface Row {
  readonly content: string;
}

export function sqliteFindings(db: Database, scrub: Scrub): Findings {
  const clear = db.prepare('delete from findings where link = ?');
  const insert = db.prepare<[Columns]>(
    'insert into findings (link, kind, needs_person, at, content) values (@link, @kind, @needsPerson, @at, @content)',
  );
  const ofLink = db.prepare<[LinkId, Kind], Row>('select content from findings where link = ? and kind = ? order by id');
  // Findings that need a person come first, then the newest. The cross join makes SQLite scan the findings, which are few.
  const ofRoute = db.prepare<[Kind, string, number], Row>(`
    select content from findings cross join links on links.id = findings.link
    where kind = ? and links.route = ? order by needs_person desc, at desc, findings.id limit ?`);
  const open = db.prepare<[Kind, string], { readonly count: number }>(`
    select count(*) as count from findings cross join links on links.id = findings.link
    where kind = ? and needs_person = 1 and links.route = ? and links.state = 'live'`);
  const add = (link: LinkId, kind: Kind, needsPerson: boolean, at: number, content: Conflict | Skip) =>
    insert.run({ link, kind, needsPerson: needsPerson ? 1 : 0, at, content: cleanJson(scrub, content) });
  return {
    replace(link, conflicts, skips, at) {
      db.transaction(() => {
        clear.run(link);
        for (const conflict of conflicts) add(link, 'conflict', conflict.kept === null, at, conflict);
        for (const skip of skips) add(link, 'skip', skip.needsPerson, at, skip);
      })();
    },
    ofRoute: (route, limit) => ({
      conflicts: ofRoute.all('conflict', route, limit).map((row) => readJson<Conflict>(row.content)),
      skips: ofRoute.all('skip', route, limit).map((row) => readJson<Skip>(row.content)),
    }),
    open: (route) => ({ conflicts: open.get('conflict', route)?.count ?? 0, skips: open.get('skip', route)?.count ?? 0 }),
    ofLink: (link) => ({
      conflicts: ofLink.all(link, 'conflict').map((row) => readJson<Conflict>(row.content)),
      skips: ofLink.all(link, 'skip').map((row) => readJson<Skip>(row.content)),
    }),
  };
}
