-- Whether the last poll of a side left changes to the next ones: until they are read, nothing is known to be in step.
alter table cursors add column has_more integer not null default 0;
