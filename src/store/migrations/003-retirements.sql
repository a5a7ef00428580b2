-- What a side announces of the end of the interface version that the bridge uses. A row without times: it names no day.
create table retirements (
  side text primary key check (side in ('tracker', 'github')),
  since_at integer,
  ends_at integer
) strict, without rowid;
