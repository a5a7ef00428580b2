-- A wrong clock is kept as a failure: since when, and what it is.
alter table failures rename to old_failures;
create table failures (
  route text not null,
  of text not null check (of in ('cycle', 'sweep', 'state', 'clock')),
  kind text not null check (kind in ('later', 'unauthorized', 'refused', 'state', 'fault')),
  side text check (side in ('tracker', 'github')), -- null when it is not known
  why text not null,
  since_at integer not null,
  at integer not null,
  count integer not null,
  primary key (route, of)
) strict, without rowid;
insert into failures select * from old_failures;
drop table old_failures;
