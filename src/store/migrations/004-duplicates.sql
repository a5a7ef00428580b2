-- The bugs that duplicate another: their issues name its issue once that exists.
create index links_duplicates on links (tracker ->> '$.dupeOf') where tracker ->> '$.dupeOf' is not null;
