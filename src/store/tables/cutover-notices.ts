import type { Database } from 'better-sqlite3';
import { type LinkId, linkId } from '../../model/ids.ts';
import type { CutoverNotice, CutoverNotices } from '../../model/migration.ts';
import { recordOrNull } from '../columns.ts';

interface Row {
  readonly link: number;
  readonly was: string;
  readonly status: string;
  readonly resolution: string;
  readonly is_done: number;
}

export function sqliteCutoverNotices(db: Database): CutoverNotices {
  const get = db.prepare<[LinkId], Row>('select * from cutover_notices where link = ?');
  const remove = db.prepare('delete from cutover_notices where link = ?');
  const ofRoute = db.prepare<[string], Row>(
    'select cutover_notices.* from cutover_notices cross join links on links.id = cutover_notices.link where links.route = ? order by link',
  );
  const save = db.prepare(`
    insert or replace into cutover_notices (link, was, status, resolution, is_done)
    values (@link, @was, @status, @resolution, @isDone)`);
  return {
    get: (link) => recordOrNull(get.get(link), cutoverNoticeOf),
    save({ link, was, status, resolution, isDone }) {
      save.run({ link, was, status, resolution, isDone: isDone ? 1 : 0 });
    },
    remove(link) {
      remove.run(link);
    },
    ofRoute: (route) => ofRoute.all(route).map(cutoverNoticeOf),
  };
}

function cutoverNoticeOf({ link, is_done: isDone, ...row }: Row): CutoverNotice {
  return { ...row, link: linkId(link), isDone: isDone === 1 };
}
