-- Whether it is the tracker that went back, and not the state.
alter table older_pairs add column is_tracker_older integer not null default 0;
