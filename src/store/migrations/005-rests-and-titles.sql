-- Routes that a person has paused.
create table rests (
  route text primary key not null,
  at integer not null,
  why text
) strict, without rowid;

-- The words of the titles of both ends, to find pairs by. The titles themselves stay in links.
create virtual table titles using fts5 (
  tracker, github,
  content = '', contentless_delete = 1, detail = column, tokenize = 'unicode61 remove_diacritics 2'
);

insert into titles (rowid, tracker, github)
  select id, json_extract(tracker, '$.summary'), json_extract(github, '$.title') from links;

create trigger titles_insert after insert on links
begin
  insert into titles (rowid, tracker, github)
    values (new.id, json_extract(new.tracker, '$.summary'), json_extract(new.github, '$.title'));
end;

create trigger titles_update after update of tracker, github on links
  when json_extract(old.tracker, '$.summary') is not json_extract(new.tracker, '$.summary')
    or json_extract(old.github, '$.title') is not json_extract(new.github, '$.title')
begin
  insert or replace into titles (rowid, tracker, github)
    values (new.id, json_extract(new.tracker, '$.summary'), json_extract(new.github, '$.title'));
end;

create trigger titles_delete after delete on links
begin
  delete from titles where rowid = old.id;
end;

-- For the lists that people look through: pairs that are no longer mirrored are few, and stand between many others.
create index links_idle on links (route, state, id) where state <> 'live';
