-- What the tracker said that it stored and no reading has shown yet.
create table receipts (
  link integer primary key references links (id) on delete cascade,
  content text not null -- JSON
) strict;
