-- A comment may be set aside by itself: -1 is the whole bug or issue, 0 the body of an issue.
create table set_aside_of_comments (
  route text not null,
  side text not null check (side in ('tracker', 'github')),
  ref integer not null, -- the bug's id or the issue's number
  comment integer not null,
  stage text not null check (stage in ('read', 'plan', 'write', 'withdraw')),
  cause text not null check (cause in ('fault', 'hang', 'side')),
  why text not null,
  since_at integer not null,
  count integer not null,
  retry_at integer, -- null: it is not tried again by itself
  content text not null, -- digest of the content that failed
  version text not null, -- of the program that failed
  at integer,
  primary key (route, side, ref, comment)
) strict, without rowid;
insert into set_aside_of_comments
  select route, side, ref, -1, stage, cause, why, since_at, count, retry_at, content, version, at from set_aside;
drop table set_aside;
alter table set_aside_of_comments rename to set_aside;
create index set_aside_at on set_aside (at);
