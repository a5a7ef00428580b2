-- Until when each field was known to agree, by the clocks of both sides; JSON.
alter table older_pairs add column agreed text not null default '{}';
