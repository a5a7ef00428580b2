-- GitHub's number of the repository that was read: a name may be given to another repository. Null for the tracker.
alter table cursors add column repository integer;
