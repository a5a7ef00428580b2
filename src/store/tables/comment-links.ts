import type { Database } from 'better-sqlite3';
import { type EntryId, entryId, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Fold } from '../../model/item.ts';
import type { Entry, EntryState } from '../../model/link.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { Entries } from '../../model/store.ts';
import { cleanOrNull, readJson } from '../json.ts';
import { unlessTaken } from '../lock.ts';

interface Row {
  readonly id: number;
  readonly link: number;
  readonly origin: Side;
  readonly source: number;
  readonly part: number;
  readonly parts: number;
  readonly count: number | null;
  readonly copy: number | null;
  readonly state: EntryState;
  readonly reason: string | null;
  readonly author: string;
  readonly url: string;
  readonly text: string | null;
  readonly is_markdown: number;
  readonly before: string | null;
  readonly digest: string;
  readonly mirrored: string | null;
  readonly copy_digest: string | null;
  readonly wrote: string | null;
  readonly is_edited: number;
  readonly is_stale: number;
  readonly proven: string | null;
  readonly attachment: number | null;
  readonly fold: Fold | null;
  readonly copy_fold: Fold | null;
  readonly remark: string | null;
  readonly created_at: number;
}

type Columns = Omit<Row, 'id' | 'reason'> & { readonly reason: Clean | null };

const insertSql = `
  insert into entries (
    link, origin, source, part, parts, count, copy, state, reason, author, url, text, is_markdown, before, digest, mirrored, copy_digest,
    wrote, is_edited, is_stale, proven, attachment, fold, copy_fold, remark, created_at
  ) values (
    @link, @origin, @source, @part, @parts, @count, @copy, @state, @reason, @author, @url, @text, @is_markdown, @before, @digest, @mirrored,
    @copy_digest, @wrote, @is_edited, @is_stale, @proven, @attachment, @fold, @copy_fold, @remark, @created_at
  )`;

const updateSql = `
  update entries set link = @link, origin = @origin, source = @source, part = @part, parts = @parts, count = @count, copy = @copy, state = @state,
    reason = @reason, author = @author, url = @url, text = @text, is_markdown = @is_markdown, before = @before, digest = @digest, mirrored = @mirrored, copy_digest = @copy_digest,
    wrote = @wrote, is_edited = @is_edited, is_stale = @is_stale, proven = @proven, attachment = @attachment, fold = @fold, copy_fold = @copy_fold, remark = @remark, created_at = @created_at
  where id = @id`;

export function sqliteEntries(db: Database, scrub: Scrub): Entries {
  const insert = db.prepare<[Columns]>(insertSql);
  const update = db.prepare<[Columns & { readonly id: number }]>(updateSql);
  const byId = db.prepare<[EntryId], Row>('select * from entries where id = ?');
  // The tracker's times are whole seconds; within one, the ids on the side of origin tell the order.
  const ofLink = db.prepare<[LinkId], Row>('select * from entries where link = ? order by created_at, source, part, id');
  // The condition is that of the index: only stale entries are looked at.
  const staleLinks = db.prepare<[string], { readonly link: number }>(
    'select distinct link from entries join links on links.id = entries.link where is_stale = 1 and route = ? order by link',
  );
  const move = db.prepare('update entries set link = @to where link = @from');
  return {
    add(entry) {
      const result = unlessTaken(
        () => takenMessage(entry),
        () => insert.run(columnsOf(entry, scrub)),
      );
      return { ...entry, id: entryId(Number(result.lastInsertRowid)) };
    },
    save(entry) {
      const result = unlessTaken(
        () => takenMessage(entry),
        () => update.run({ ...columnsOf(entry, scrub), id: entry.id }),
      );
      if (result.changes === 0) throw new Error(`Entry ${entry.id} of link ${entry.link} cannot be saved: it was removed`);
    },
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : entryOf(row);
    },
    ofLink: (link) => ofLink.all(link).map(entryOf),
    staleLinks: (route) => staleLinks.all(route).map(({ link }) => linkId(link)),
    move(from, to) {
      unlessTaken(
        () => `Links ${from} and ${to} cannot become one: both have an entry for the same comment`,
        () => move.run({ from, to }),
      );
    },
  };
}

function entryOf(row: Row): Entry {
  return {
    id: entryId(row.id),
    link: linkId(row.link),
    origin: row.origin,
    source: row.source,
    part: row.part,
    parts: row.parts,
    count: row.count,
    copy: row.copy,
    state: row.state,
    reason: row.reason,
    author: readJson(row.author),
    url: row.url,
    text: row.text,
    ...(row.is_markdown === 1 ? { isMarkdown: true } : {}),
    before: row.before,
    digest: row.digest,
    mirrored: row.mirrored,
    copyDigest: row.copy_digest,
    wrote: row.wrote,
    isEdited: row.is_edited === 1,
    isStale: row.is_stale === 1,
    proven: row.proven,
    attachment: row.attachment,
    fold: row.fold,
    copyFold: row.copy_fold,
    ...(row.remark === null ? {} : { remark: row.remark }),
    createdAt: row.created_at,
  };
}

function columnsOf(entry: Omit<Entry, 'id'>, scrub: Scrub): Columns {
  return {
    link: entry.link,
    origin: entry.origin,
    source: entry.source,
    part: entry.part,
    parts: entry.parts,
    count: entry.count,
    copy: entry.copy,
    state: entry.state,
    reason: cleanOrNull(scrub, entry.reason),
    author: JSON.stringify(entry.author),
    url: entry.url,
    text: entry.text,
    is_markdown: entry.isMarkdown ? 1 : 0,
    before: entry.before,
    digest: entry.digest,
    mirrored: entry.mirrored,
    copy_digest: entry.copyDigest,
    wrote: entry.wrote,
    is_edited: entry.isEdited ? 1 : 0,
    is_stale: entry.isStale ? 1 : 0,
    proven: entry.proven,
    attachment: entry.attachment,
    fold: entry.fold,
    copy_fold: entry.copyFold,
    remark: entry.remark ?? null,
    created_at: entry.createdAt,
  };
}

const takenMessage = (entry: Omit<Entry, 'id'>): string =>
  `Link ${entry.link} already has an entry for comment ${entry.source}${entry.part > 1 ? ` (part ${entry.part})` : ''} of its ${entry.origin} side`;
