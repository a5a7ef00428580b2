-- Imports that GitHub accepted, until their issues were read: a killed migration finds out from them what became of its imports.
create table imports (
  number integer primary key not null references outbox (number) on delete cascade,
  job integer not null, -- GitHub's number of the import
  issue integer -- null until GitHub says that it is imported
) strict;
