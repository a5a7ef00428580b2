-- The product that a link's bug moved to, which the link's route does not take.
alter table links add column moved_to text;
create index links_moved on links (moved_to) where moved_to is not null;
-- Links that keep the old issue of such a bug.
create index links_former on links (claim) where moved_to is not null and bug is null;
-- Earlier versions withdrew the issues of such bugs: they are planned again.
update links set urgency = 1 where is_withdrawn = 1 and state = 'live' and urgency = 0;
