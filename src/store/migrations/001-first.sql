-- Times are epoch milliseconds. Columns that hold JSON say so; everything that is searched for has a column of its own.

create table links (
  -- Never reused, because the ledger keeps naming a link after it is gone.
  id integer primary key autoincrement,
  route text not null,
  repo text not null,
  origin text not null,
  bug integer,
  issue integer,
  state text not null,
  reason text,
  frozen_by text, -- a side
  base text, -- JSON
  tracker text, -- JSON
  github text, -- JSON
  urgency integer not null, -- 0 none, 1 backfill, 2 live
  thread_read_at integer,
  claim integer,
  is_pointed_tracker integer not null,
  is_pointed_github integer not null,
  proof text, -- JSON
  is_withdrawn integer not null,
  -- When each end was last met: by a sweep (its start), or when the link got that end.
  tracker_met_at integer,
  github_met_at integer,
  check (bug is not null or issue is not null)
) strict;

-- Without the nulls, so that nobody looks for half links in here: there may be very many of them.
create unique index links_bug on links (bug) where bug is not null;
-- The number comes first, so that it also finds an issue by number and route.
create unique index links_issue on links (issue, repo) where issue is not null;
create index links_route on links (route, id);
create index links_count on links (route, state, bug, issue);
create index links_withdrawn on links (route) where is_withdrawn = 1;
create index links_wanting on links (route, urgency desc, id) where urgency > 0 and state <> 'tombstone';
create index links_waiting on links (repo) where json_array_length(tracker, '$.dependsOn') > 0;
create index links_blocked on links (repo) where json_array_length(github, '$.blockedBy') > 0;
create index links_claim on links (repo, claim, id) where claim is not null;
create index links_tracker_met on links (route, tracker_met_at, id) where state = 'live' and bug is not null;
create index links_github_met on links (route, github_met_at, id) where state = 'live' and issue is not null;

create table entries (
  id integer primary key autoincrement,
  link integer not null references links (id) on delete cascade,
  origin text not null,
  source integer not null,
  part integer not null,
  parts integer not null,
  count integer,
  copy integer,
  state text not null,
  reason text,
  author text not null, -- JSON
  url text not null,
  text text,
  is_markdown integer not null,
  before text,
  digest text not null,
  mirrored text,
  copy_digest text,
  wrote text,
  is_edited integer not null,
  is_stale integer not null,
  proven text,
  attachment integer,
  -- Why its copies are to be folded away, and what we last made of its copy in that respect.
  fold text,
  copy_fold text,
  -- What a comment of the bridge itself explains; null for all others.
  remark text,
  created_at integer not null
) strict;

-- Of the further parts of a text there may be some of an earlier text.
create unique index entries_source on entries (link, origin, source, part, case when part > 1 then digest else '' end);

create index entries_stale on entries (link) where is_stale = 1;

-- What the text of an entry refers to and what may look different one day: `bug 12`, `bug 12 comment 3`, `attachment 9`.
create table mentions (
  entry integer not null references entries (id) on delete cascade,
  mention text not null,
  primary key (entry, mention)
) strict, without rowid;

create index mentions_mention on mentions (mention, entry);

create index entries_withdrawn on entries (state, link)
  where state = 'withdrawn' and copy is not null and (copy <> 0 or mirrored is not null);

create table enclosures (
  id integer primary key autoincrement,
  link integer not null references links (id) on delete cascade,
  origin text not null,
  source text not null,
  url text not null,
  name text not null,
  summary text not null,
  type text not null,
  size integer,
  is_patch integer not null,
  is_obsolete integer not null,
  flags text not null, -- JSON
  state text not null,
  reason text,
  path text,
  copy_url text,
  copy integer,
  sha256 text,
  excerpt text,
  proven text,
  created_at integer not null
) strict;

create unique index enclosures_source on enclosures (link, origin, source);
create index enclosures_attachment on enclosures (source) where origin = 'tracker';
create index enclosures_withdrawn on enclosures (state, link) where state = 'withdrawn';

-- With which reading of its thread the files of a bug were last read.
create table file_readings (
  link integer primary key references links (id) on delete cascade,
  thread_read_at integer not null
) strict;

create table outbox (
  -- What people call it by; never reused.
  number integer primary key autoincrement,
  key text not null unique,
  position integer not null,
  route text not null,
  link integer not null references links (id) on delete cascade,
  operation text not null, -- JSON
  state text not null,
  attempts integer not null,
  not_before_at integer,
  sent_at integer,
  why text
) strict;

create index outbox_position on outbox (position);
create index outbox_state on outbox (route, state, position);
create index outbox_link on outbox (link, position);

create table cursors (
  route text not null,
  side text not null,
  changes text,
  listing text,
  is_complete integer not null,
  polled_at integer not null,
  read_at integer not null,
  swept_at integer,
  primary key (route, side)
) strict;

-- No reference to links: the story of a link outlives it.
create table ledger (
  id integer primary key autoincrement,
  at integer not null,
  route text not null,
  link integer not null,
  bug integer,
  issue integer,
  side text, -- the side written to
  kind text not null,
  outcome text not null,
  detail text not null -- JSON
) strict;

create index ledger_link on ledger (link, id);
create index ledger_route on ledger (route, id);
create index ledger_at on ledger (at);

create trigger ledger_no_update before update on ledger
begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger ledger_no_delete before delete on ledger
begin
  select raise(abort, 'the ledger is append-only');
end;

create table spent (
  side text not null,
  at integer not null,
  cost text not null,
  points integer not null
) strict;

create index spent_at on spent (side, at);

create table pauses (
  side text primary key not null,
  until integer not null,
  why text not null
) strict;

-- What the brake holds back now.
create table places (
  route text not null,
  field text not null,
  name text not null, -- of the place where GitHub shows the field, in words of the bridge's own
  field_id integer, -- of a field of the organisation: 0 while there is none, null before anybody asked
  primary key (route, field)
) strict, without rowid;

create table refusals (
  route text not null,
  of text not null, -- plan, or the side whose full comparison it was
  at integer not null,
  why text not null,
  primary key (route, of)
) strict, without rowid;

create table findings (
  id integer primary key,
  link integer not null references links (id) on delete cascade,
  kind text not null, -- conflict, skip
  needs_person integer not null,
  at integer not null,
  content text not null -- JSON
) strict;

create index findings_link on findings (link, kind, id);
create index findings_kind on findings (kind, needs_person desc, at desc, id);

-- Bugs that the cut-over closed.
create table farewells (
  link integer primary key references links (id) on delete cascade,
  was text not null,
  status text not null,
  resolution text not null,
  is_done integer not null
) strict;
