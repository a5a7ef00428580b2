-- When a wait was stored, by our clock: if that lies ahead, the clock was set back, and the wait counts from now.
alter table pauses add column at integer;
alter table set_aside add column at integer;
alter table outbox add column at integer;
alter table receipts add column at integer;
create index set_aside_at on set_aside (at);
create index outbox_at on outbox (at) where at is not null;
create index receipts_at on receipts (at);
