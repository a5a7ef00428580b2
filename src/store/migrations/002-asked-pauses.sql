-- A pause may be longer than the side asked for, because it asked again and again. Withdrawals wait only for what it asked.
alter table pauses add column asked_until integer not null default 0;

update pauses set asked_until = until;
