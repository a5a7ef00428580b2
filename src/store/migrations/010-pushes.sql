-- Commits of one push that name the bug or the issue of a link, and whether the bug was told of them.
create table link_pushes (
  id integer primary key,
  link integer not null references links (id) on delete cascade,
  url text not null, -- of the newest of the commits
  branch text not null,
  commits text not null, -- JSON
  unread integer not null check (unread >= 0), -- how many commits of the push were not read
  is_told integer not null check (is_told in (0, 1)),
  unique (link, url)
) strict;

-- The ledger with one more kind. A check cannot be changed, so the table is made anew.
drop trigger ledger_no_update;
drop trigger ledger_no_delete;

create table new_ledger (
  id integer primary key autoincrement,
  at integer not null,
  route text not null,
  link integer not null,
  bug integer,
  issue integer,
  side text check (side in ('tracker', 'github')), -- the side written to
  kind text not null check (kind in (
    'create', 'update', 'comment', 'rewrite', 'erase', 'minimize', 'point', 'file', 'remark', 'pull', 'push', 'lock',
    'bind', 'agree', 'freeze', 'thaw', 'bury', 'conflict', 'settle', 'withdraw', 'restore'
  )),
  outcome text not null,
  detail text not null -- JSON
) strict;

insert into new_ledger (id, at, route, link, bug, issue, side, kind, outcome, detail)
  select id, at, route, link, bug, issue, side, kind, outcome, detail from ledger order by id;

drop table ledger;
alter table new_ledger rename to ledger;

create index ledger_link on ledger (link, id);
create index ledger_route on ledger (route, id);
create index ledger_at on ledger (at);

create trigger ledger_no_update before update on ledger
begin
  select raise(abort, 'the ledger is append-only');
end;

create trigger ledger_no_delete before delete on ledger
begin
  select raise(abort, 'the ledger is append-only');
end;
