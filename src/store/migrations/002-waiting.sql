-- Since when an operation has been put off; null for what was not.
alter table outbox add column waiting_since integer;

-- How often in a row a side has asked for a pause.
alter table pauses add column times integer not null default 1;
