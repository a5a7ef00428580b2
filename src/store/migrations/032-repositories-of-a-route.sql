-- A route knows one repository or a few, and finds them without its pairs.
create index links_repo on links (route, repo);
