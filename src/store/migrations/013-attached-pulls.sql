-- What the attachment of a pull request showed last; null if it has none on the bug, or if that is not known.
alter table link_pulls add column shown_title text;
alter table link_pulls add column shown_obsolete integer check (shown_obsolete in (0, 1));
