-- Comments that a list showed before any list showed their issue: they are observed together with it.
alter table cursors add column early text not null default '[]'; -- JSON
