-- What each receiver of notices knows of a route.
create table told_receivers (
  route text not null,
  receiver text not null check (receiver in ('command', 'webhook', 'mail')),
  need text not null check (need in ('none', 'items', 'stopped')),
  at integer not null, -- when it was last told; 0 for never
  attempts integer not null, -- how often the next notice was tried in vain
  retry_at integer not null,
  why text,
  primary key (route, receiver)
) strict, without rowid;
