-- A cycle asks for each of these. While a backlog waits, few of its links are among them.
create index links_withdrawing on links (route, id) where urgency > 0 and state <> 'tombstone' and bug is not null and (
  frozen_by = 'tracker' or is_withdrawn = 1 or json_extract(tracker, '$.isPrivate') = 1
  or json_extract(visibility_check, '$.isShown') = 0);
create index links_unmet on links (route, id)
  where urgency > 0 and state = 'live' and claim is not null and bug is null and issue is not null;
create index links_halves on links (route, bug, issue)
  where urgency > 0 and state = 'live' and (bug is null or issue is null);

-- How many links a route has, so that nobody counts them.
create table link_counts (
  route text not null,
  state text not null,
  has_bug integer not null,
  has_issue integer not null,
  links integer not null,
  primary key (route, state, has_bug, has_issue)
) strict, without rowid;

insert into link_counts
  select route, state, bug is not null, issue is not null, count(*) from links group by 1, 2, 3, 4;

create trigger link_counts_insert after insert on links
begin
  insert into link_counts values (new.route, new.state, new.bug is not null, new.issue is not null, 1)
    on conflict do update set links = links + 1;
end;

create trigger link_counts_update after update of route, state, bug, issue on links
  when old.route <> new.route or old.state <> new.state
    or (old.bug is null) <> (new.bug is null) or (old.issue is null) <> (new.issue is null)
begin
  update link_counts set links = links - 1 where route = old.route and state = old.state
    and has_bug = (old.bug is not null) and has_issue = (old.issue is not null);
  insert into link_counts values (new.route, new.state, new.bug is not null, new.issue is not null, 1)
    on conflict do update set links = links + 1;
end;

create trigger link_counts_delete after delete on links
begin
  update link_counts set links = links - 1 where route = old.route and state = old.state
    and has_bug = (old.bug is not null) and has_issue = (old.issue is not null);
end;

drop index links_count;
