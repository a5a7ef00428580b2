import type { Database } from 'better-sqlite3';
import type { Receiver, Told, ToldReceivers, Unreached } from '../../model/reports/notice.ts';
import type { Scrub } from '../../model/runtime.ts';
import { cleanOrNull } from '../columns.ts';

const nothing: Told = { need: 'none', at: 0, attempts: 0, retryAt: 0, why: null };

export function sqliteToldReceivers(db: Database, scrub: Scrub): ToldReceivers {
  const save = db.prepare(
    `insert or replace into told_receivers (route, receiver, need, at, attempts, retry_at, why)
      values (@route, @receiver, @need, @at, @attempts, @retryAt, @why)`,
  );
  const of = db.prepare<[string, Receiver], Told>(
    'select need, at, attempts, retry_at as retryAt, why from told_receivers where route = ? and receiver = ?',
  );
  const unreached = db.prepare<[string], Unreached>(
    `select receiver, attempts, retry_at as retryAt, why from told_receivers
      where route = ? and attempts > 0 and why is not null order by receiver`,
  );
  const forget = db.prepare<[string, string]>(
    'delete from told_receivers where route = ? and receiver not in (select value from json_each(?))',
  );
  return {
    of: (route, receiver) => of.get(route, receiver) ?? nothing,
    save(route, receiver, told) {
      save.run({ ...told, route, receiver, why: cleanOrNull(scrub, told.why) });
    },
    unreached: (route) => unreached.all(route),
    keepOnly: (route, receivers) => void forget.run(route, JSON.stringify(receivers)),
  };
}
