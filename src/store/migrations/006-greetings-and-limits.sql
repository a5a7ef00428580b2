-- What was found out about a side's limits on creations, by the window in which it counts them.
create table found_limits (
  side text not null check (side in ('tracker', 'github')),
  window_ms integer not null,
  passed integer not null, -- the most that it took within the window
  allowed integer not null, -- how much the bridge creates within it
  filled_at integer, -- when it first created that much
  passed_at integer not null, -- when the last creation was taken
  refused_at integer, -- when one more was refused
  forgotten_at integer, -- until when that is believed
  primary key (side, window_ms)
) strict, without rowid;

-- What sides told that stays true for long, and when they told it.
create table greetings (
  name text primary key not null,
  at integer not null,
  content text not null -- JSON
) strict, without rowid;
