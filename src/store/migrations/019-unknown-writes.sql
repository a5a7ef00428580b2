-- The newest write of our own account that the state did not know, on each side.
create table unknown_writes (
  route text not null,
  side text not null check (side in ('tracker', 'github')),
  at integer, -- by the side's own clock; null if there was none
  about text not null,
  -- Writes up to then are explained: the state was put back. Until strict_until, by our clock, it was not put back again.
  explained_until integer,
  strict_until integer,
  is_halted integer not null default 0,
  primary key (route, side)
) strict, without rowid;
