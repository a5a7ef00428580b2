-- Times are epoch milliseconds. Columns that hold JSON say so; everything that is searched for has a column of its own.

create table links (
  -- Never reused, because the ledger keeps naming a link after it is gone.
  id integer primary key autoincrement,
  route text not null,
  repo text not null,
  origin text not null check (origin in ('tracker', 'github')),
  bug integer,
  issue integer,
  state text not null check (state in ('live', 'frozen', 'tombstone')),
  reason text,
  frozen_by text check (frozen_by in ('tracker', 'github')),
  base text, -- JSON
  tracker text, -- JSON
  github text, -- JSON
  urgency integer not null check (urgency between 0 and 2), -- 0 none, 1 backfill, 2 live
  thread_read_at integer,
  claim integer,
  is_pointed_tracker integer not null check (is_pointed_tracker in (0, 1)),
  is_pointed_github integer not null check (is_pointed_github in (0, 1)),
  visibility_check text, -- JSON
  is_withdrawn integer not null check (is_withdrawn in (0, 1)),
  -- When each end was last met: by a sweep (its start), or when the link got that end.
  tracker_met_at integer,
  github_met_at integer,
  check (bug is not null or issue is not null),
  check ((state = 'live') = (reason is null)),
  check ((state = 'frozen') = (frozen_by is not null))
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

create table comment_links (
  id integer primary key autoincrement,
  link integer not null references links (id) on delete cascade,
  origin text not null check (origin in ('tracker', 'github')),
  source integer not null,
  part integer not null check (part >= 1),
  parts integer not null check (parts >= 1),
  count integer,
  state text not null check (state in ('pending', 'mirrored', 'skipped', 'gone', 'withdrawn')),
  reason text,
  author text not null, -- JSON
  url text not null,
  text text,
  before text,
  digest text not null,
  mirrored text,
  wrote text,
  is_stale integer not null check (is_stale in (0, 1)),
  -- The copy: its comment id, and what is known of it.
  copy integer,
  copy_digest text,
  copy_is_edited integer not null check (copy_is_edited in (0, 1)),
  copy_minimized text check (copy_minimized in ('spam', 'abuse', 'off-topic', 'outdated', 'duplicate', 'resolved')),
  -- Only of comments of a tracker.
  is_markdown integer not null check (is_markdown in (0, 1)),
  checked_digest text,
  attachment integer,
  minimized text check (minimized in ('spam', 'abuse', 'off-topic', 'outdated', 'duplicate', 'resolved')),
  -- What a comment of the bridge itself explains; null for all others.
  remark text,
  created_at integer not null,
  check ((state in ('skipped', 'gone', 'withdrawn')) = (reason is not null)),
  check (copy is null or state not in ('pending', 'skipped')),
  check (copy is not null or (copy_digest is null and copy_is_edited = 0 and copy_minimized is null)),
  check (origin = 'tracker' or (is_markdown = 0 and checked_digest is null and attachment is null and minimized is null))
) strict;

-- Of the further parts of a text there may be some of an earlier text.
create unique index comment_links_source on comment_links (link, origin, source, part, case when part > 1 then digest else '' end);
create index comment_links_stale on comment_links (link) where is_stale = 1;
create index comment_links_withdrawn on comment_links (state, link)
  where state = 'withdrawn' and copy is not null and (copy <> 0 or mirrored is not null);

-- What the text of a comment refers to and what may look different one day: `bug 12`, `bug 12 comment 3`, `attachment 9`.
create table mentions (
  comment_link integer not null references comment_links (id) on delete cascade,
  mention text not null,
  primary key (comment_link, mention)
) strict, without rowid;

create index mentions_mention on mentions (mention, comment_link);

create table attachment_links (
  id integer primary key autoincrement,
  link integer not null references links (id) on delete cascade,
  origin text not null check (origin in ('tracker', 'github')),
  source text not null,
  url text not null,
  name text not null,
  summary text not null,
  type text not null,
  size integer,
  is_patch integer not null check (is_patch in (0, 1)),
  is_obsolete integer not null check (is_obsolete in (0, 1)),
  flags text not null, -- JSON
  state text not null check (state in ('pending', 'mirrored', 'linked', 'withdrawn')),
  reason text,
  -- Of a tracker's file: where its copy stands in the attachment store, or is to stand.
  path text,
  checked_digest text,
  sha256 text,
  excerpt text,
  -- Of a file in an issue: the attachment that is its copy.
  copy integer,
  copy_url text,
  created_at integer not null,
  check (reason is null or state in ('pending', 'linked')),
  check (state = 'mirrored' or (copy is null and copy_url is null and sha256 is null and excerpt is null)),
  check (state <> 'mirrored' or (origin = 'tracker' and copy_url is not null) or (origin = 'github' and copy is not null)),
  check (origin = 'tracker' or (path is null and checked_digest is null and sha256 is null and excerpt is null)),
  check (origin = 'github' or copy is null)
) strict;

create unique index attachment_links_source on attachment_links (link, origin, source);
create index attachment_links_attachment on attachment_links (source) where origin = 'tracker';
create index attachment_links_withdrawn on attachment_links (state, link) where state = 'withdrawn';

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
  state text not null check (state in ('planned', 'sent', 'parked')),
  attempts integer not null,
  not_before_at integer,
  sent_at integer,
  -- Since when it has been put off; null for what was not.
  waiting_since integer,
  why text
) strict;

create index outbox_position on outbox (position);
create index outbox_state on outbox (route, state, position);
create index outbox_link on outbox (link, position);

create table cursors (
  route text not null,
  side text not null check (side in ('tracker', 'github')),
  changes text,
  listing text,
  is_complete integer not null check (is_complete in (0, 1)),
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
  side text check (side in ('tracker', 'github')), -- the side written to
  kind text not null check (kind in (
    'create', 'update', 'comment', 'rewrite', 'erase', 'minimize', 'point', 'file', 'remark', 'lock',
    'bind', 'agree', 'freeze', 'thaw', 'bury', 'conflict', 'settle', 'withdraw', 'restore'
  )),
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
  side text not null check (side in ('tracker', 'github')),
  at integer not null,
  cost text not null check (cost in ('read', 'create', 'edit')),
  points integer not null
) strict;

create index spent_at on spent (side, at);

create table pauses (
  side text primary key not null check (side in ('tracker', 'github')),
  until integer not null,
  why text not null,
  -- How often in a row the side has asked for one.
  times integer not null
) strict;

-- Where GitHub showed the fields of a route's bugs when they were last agreed on.
create table places (
  route text not null,
  field text not null,
  name text not null, -- of the place where GitHub shows the field, in words of the bridge's own
  field_id integer, -- of a field of the organisation: 0 while there is none, null before anybody asked
  primary key (route, field)
) strict, without rowid;

-- What the brake holds back now.
create table refusals (
  route text not null,
  of text not null check (of in ('plan', 'tracker', 'github')), -- a side: its full comparison
  at integer not null,
  why text not null,
  primary key (route, of)
) strict, without rowid;

create table findings (
  id integer primary key,
  link integer not null references links (id) on delete cascade,
  kind text not null check (kind in ('conflict', 'skip')),
  needs_person integer not null check (needs_person in (0, 1)),
  at integer not null,
  content text not null -- JSON
) strict;

create index findings_link on findings (link, kind, id);
create index findings_kind on findings (kind, needs_person desc, at desc, id);

-- Bugs that the cut-over closed.
create table cutover_notices (
  link integer primary key references links (id) on delete cascade,
  was text not null,
  status text not null,
  resolution text not null,
  is_done integer not null check (is_done in (0, 1))
) strict;

-- What the tracker said that it stored and no reading has shown yet.
create table receipts (
  link integer primary key references links (id) on delete cascade,
  content text not null -- JSON
) strict;

-- Why the work on a route failed the last time: the row goes when it succeeds.
create table failures (
  route text not null,
  of text not null check (of in ('cycle', 'sweep', 'state')),
  kind text not null check (kind in ('later', 'unauthorized', 'refused', 'state', 'fault')),
  side text check (side in ('tracker', 'github')), -- null when it is not known
  why text not null,
  since_at integer not null,
  at integer not null,
  count integer not null,
  primary key (route, of)
) strict, without rowid;
