-- Rows of answers on which a process was blocked, as digests: they are not read again by the same version.
create table blocked_rows (
  route text not null,
  side text not null check (side in ('tracker', 'github')),
  ref integer not null, -- the bug's id or the issue's number
  row text not null,
  version text not null, -- of the program that was blocked
  primary key (route, side, ref, row)
) strict, without rowid;
