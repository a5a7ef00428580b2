-- Why the work on a route failed the last time: the row goes when it succeeds.
create table failures (
  route text not null,
  of text not null, -- cycle, sweep
  kind text not null,
  side text, -- null when it is not told
  why text not null,
  since_at integer not null,
  at integer not null,
  count integer not null,
  primary key (route, of)
) strict, without rowid;
