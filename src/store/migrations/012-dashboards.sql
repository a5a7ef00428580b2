-- The issue in which a route lists what needs a person.
create table dashboards (
  route text primary key,
  issue integer, -- null: it is not known whether it was opened
  digest text not null, -- of the text that it shows; empty if that is not known
  sent_at integer not null -- when a request that writes it was last sent
) strict, without rowid;
