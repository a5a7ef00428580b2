-- Whether not everyone can read the repository. Null for the tracker, and while nobody has asked.
alter table cursors add column is_private integer;
