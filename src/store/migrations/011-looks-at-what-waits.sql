-- A bug whose issue is planned has no mark, and may wait for hours until GitHub takes it: it is looked at like any other.
drop index links_looked;
drop index links_changed;
create index links_looked on links (bug, route, json_extract(tracker, '$.product'))
  where state = 'live' and bug is not null
    and json_extract(tracker, '$.isPrivate') = 0 and json_extract(visibility_check, '$.isShown') is not 0;
create index links_changed on links (json_extract(tracker, '$.changedAt'), route, bug, json_extract(tracker, '$.product'))
  where state = 'live' and bug is not null
    and json_extract(tracker, '$.isPrivate') = 0 and json_extract(visibility_check, '$.isShown') is not 0;
