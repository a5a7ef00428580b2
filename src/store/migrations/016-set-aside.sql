-- Bugs and issues that are left alone because work on them failed.
create table set_aside (
  route text not null,
  side text not null check (side in ('tracker', 'github')),
  ref integer not null, -- the bug's id or the issue's number
  stage text not null check (stage in ('read', 'plan', 'write', 'withdraw')),
  cause text not null check (cause in ('fault', 'hang', 'side')),
  why text not null,
  since_at integer not null,
  count integer not null,
  retry_at integer, -- null: it is not tried again by itself
  content text not null, -- digest of the content that failed
  version text not null, -- of the program that failed
  primary key (route, side, ref)
) strict, without rowid;
