-- Bugs that a reader is asked for again and again, to see whether each is still shown. The look goes on by the number of the bug: each row is
-- a stretch that was asked for together, from behind the row before it (in a circle) up to its last bug.
create table looks (
  reader text not null check (reader in ('anonymous', 'account')),
  last_bug integer not null,
  turn integer not null, -- rises with each look, whatever the clock says
  at integer, -- null: nobody has looked yet
  primary key (reader, last_bug)
) strict, without rowid;

create index looks_turn on looks (reader, turn);

-- Links whose bug a look did not show as it was, until that is settled.
create table missed_links (
  link integer primary key references links (id) on delete cascade,
  route text not null
) strict;

create index missed_links_route on missed_links (route, link);

-- What is mirrored or waits to be, and counts as public, in the order of the look.
create index links_looked on links (bug, route, json_extract(tracker, '$.product'))
  where state = 'live' and bug is not null and (issue is not null or urgency > 0)
    and json_extract(tracker, '$.isPrivate') = 0 and json_extract(visibility_check, '$.isShown') is not 0;
create index links_changed on links (json_extract(tracker, '$.changedAt'), route, bug, json_extract(tracker, '$.product'))
  where state = 'live' and bug is not null and (issue is not null or urgency > 0)
    and json_extract(tracker, '$.isPrivate') = 0 and json_extract(visibility_check, '$.isShown') is not 0;
