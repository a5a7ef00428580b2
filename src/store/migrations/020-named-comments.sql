-- A text names few comments of a thread, by their numbers or by their copies.
create index comment_links_count on comment_links (link, count);
create index comment_links_copy on comment_links (link, copy);
