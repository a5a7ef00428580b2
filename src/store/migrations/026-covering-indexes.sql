-- What a window holds is added up from the index alone, and the parked rows of a link are found among all that wait.
drop index spent_at;
create index spent_cost on spent (side, cost, at, points);
drop index outbox_link;
create index outbox_link on outbox (link, state, position);
