-- The product of a bug whose issue people transferred into the repository of the link's route, which takes another one.
alter table links add column taken_from text;
create index links_opened on links (github ->> '$.createdAt');
