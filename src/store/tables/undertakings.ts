import type { Database } from 'better-sqlite3';
import { type LinkId, linkId } from '../../model/ids.ts';
import type { Undertaking, Undertakings } from '../../model/migration.ts';

type Kind = Undertaking['kind'];

export function sqliteUndertakings(db: Database): Undertakings {
  const begin = db.prepare<[string, Kind, number]>(`
    insert into undertakings (route, kind, begun_at, after_line)
    values (?, ?, ?, (select coalesce(max(id), 0) from ledger))
    on conflict (route, kind) do update set stopped_at = null`);
  const stop = db.prepare<[number, string, Kind]>(
    'update undertakings set stopped_at = ? where route = ? and kind = ?',
  );
  const end = db.prepare<[string, Kind]>('delete from undertakings where route = ? and kind = ?');
  const ofRoute = db.prepare<[string], Undertaking>(
    'select kind, begun_at as begunAt, stopped_at as stoppedAt from undertakings where route = ? order by begun_at, kind',
  );
  // A request without an answer made an issue if it had arrived.
  const made = db.prepare<[string, Kind], { readonly link: LinkId }>(`
    select distinct ledger.link from undertakings cross join ledger
      on ledger.route = undertakings.route and ledger.id > undertakings.after_line
    where undertakings.route = ? and undertakings.kind = ? and ledger.side = 'github' and (
      (ledger.kind = 'create' and ledger.outcome = 'applied')
      or (ledger.kind = 'settle' and ledger.outcome = 'had arrived' and ledger.detail ->> '$.operation' = 'create'))`);
  return {
    begin(route, kind, at) {
      begin.run(route, kind, at);
    },
    stop(route, kind, at) {
      stop.run(at, route, kind);
    },
    end(route, kind) {
      end.run(route, kind);
    },
    ofRoute: (route) => ofRoute.all(route),
    made: (route, kind) => new Set(made.all(route, kind).map(({ link }) => linkId(link))),
  };
}
