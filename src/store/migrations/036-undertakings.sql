-- What a command does to a whole route and has not finished: it may be killed at any moment, and be run again. What it
-- did is in the ledger after `after_line`; `stopped_at` is when it ended before its end, unless it was killed.
create table undertakings (
  route text not null,
  kind text not null check (kind in ('migrate', 'cutover')),
  begun_at integer not null,
  after_line integer not null,
  stopped_at integer,
  primary key (route, kind)
) strict, without rowid;
