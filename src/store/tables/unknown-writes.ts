import type { Database } from 'better-sqlite3';
import { strictMs, type UnknownWrite, type UnknownWrites } from '../../model/control.ts';
import type { Side } from '../../model/ids.ts';

/** The clock of a side may be ahead of ours. */
const skewMs = 60_000;

const explainedBy = `on conflict (route, side) do update set is_halted = 0,
  explained_until = excluded.explained_until, strict_until = excluded.strict_until`;

/** A state that a person put back: what it does not know of the time before is explained. */
export function explainAll(db: Database, at: number): void {
  db.prepare(
    `insert into unknown_writes (route, side, about, explained_until, strict_until)
      select route, side, '', @until, @strict from cursors where true ${explainedBy}`,
  ).run({ until: at + skewMs, strict: at + strictMs });
}

interface Row {
  readonly side: Side;
  readonly at: number | null;
  readonly about: string;
  readonly explained_until: number | null;
  readonly strict_until: number | null;
  readonly is_halted: number;
}

export function sqliteUnknownWrites(db: Database): UnknownWrites {
  const note = db.prepare(
    `insert into unknown_writes (route, side, at, about) values (@route, @side, @at, @about)
      on conflict (route, side) do update set at = @at, about = @about where at is null or at < @at`,
  );
  const ofRoute = db.prepare<[string], Row>('select * from unknown_writes where route = ? order by side');
  const explain = db.prepare(
    `insert into unknown_writes (route, side, about, explained_until, strict_until)
      values (@route, @side, '', @at, @strictUntil) ${explainedBy}`,
  );
  const halt = db.prepare('update unknown_writes set is_halted = 1 where route = ?');
  return {
    note(route, side, { at, about }) {
      note.run({ route, side, at, about });
    },
    ofRoute: (route) => ofRoute.all(route).map(writeOf),
    explain(route, side, until) {
      explain.run({ route, side, ...until });
    },
    halt(route) {
      halt.run(route);
    },
  };
}

const writeOf = (row: Row): UnknownWrite => ({
  side: row.side,
  at: row.at,
  about: row.about,
  explainedUntil: row.explained_until,
  strictUntil: row.strict_until,
  isHalted: row.is_halted === 1,
});
