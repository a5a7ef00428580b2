-- Each cycle looks for marks that have become old enough to go, whatever else is marked.
create index older_pairs_at on older_pairs (at);
