-- Pairs whose state may be older than what both sides show, until they agree again.
create table older_pairs (
  link integer primary key references links (id) on delete cascade,
  at integer not null, -- since when that is known
  -- Until when each side was known, by its own clock; null if that is not known either.
  tracker_at integer,
  github_at integer,
  settled text not null -- JSON
) strict;
