-- Where people transferred the issue of the link from, in JSON: addresses, and what became of the ids of comments.
alter table links add column formerly text;
