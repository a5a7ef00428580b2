-- Which version of a comment on GitHub was seen last, by its own stamp: a replica that is behind may show an earlier one, which is no edit.
alter table comment_links add column changed_at integer; -- null: not known, as of all comments on the tracker
