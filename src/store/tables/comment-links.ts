import type { Database } from 'better-sqlite3';
import { type CommentLinkId, commentLinkId, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Fold } from '../../model/item.ts';
import type { CommentLink, CommentState } from '../../model/link.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { CommentLinks } from '../../model/store.ts';
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
  readonly state: CommentState;
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
  insert into commentLinks (
    link, origin, source, part, parts, count, copy, state, reason, author, url, text, is_markdown, before, digest, mirrored, copy_digest,
    wrote, is_edited, is_stale, proven, attachment, fold, copy_fold, remark, created_at
  ) values (
    @link, @origin, @source, @part, @parts, @count, @copy, @state, @reason, @author, @url, @text, @is_markdown, @before, @digest, @mirrored,
    @copy_digest, @wrote, @is_edited, @is_stale, @proven, @attachment, @fold, @copy_fold, @remark, @created_at
  )`;

const updateSql = `
  update commentLinks set link = @link, origin = @origin, source = @source, part = @part, parts = @parts, count = @count, copy = @copy, state = @state,
    reason = @reason, author = @author, url = @url, text = @text, is_markdown = @is_markdown, before = @before, digest = @digest, mirrored = @mirrored, copy_digest = @copy_digest,
    wrote = @wrote, is_edited = @is_edited, is_stale = @is_stale, proven = @proven, attachment = @attachment, fold = @fold, copy_fold = @copy_fold, remark = @remark, created_at = @created_at
  where id = @id`;

export function sqliteCommentLinks(db: Database, scrub: Scrub): CommentLinks {
  const insert = db.prepare<[Columns]>(insertSql);
  const update = db.prepare<[Columns & { readonly id: number }]>(updateSql);
  const byId = db.prepare<[CommentLinkId], Row>('select * from commentLinks where id = ?');
  // The tracker's times are whole seconds; within one, the ids on the side of origin tell the order.
  const ofLink = db.prepare<[LinkId], Row>('select * from commentLinks where link = ? order by created_at, source, part, id');
  // The condition is that of the index: only stale comment links are looked at.
  const staleLinks = db.prepare<[string], { readonly link: number }>(
    'select distinct link from commentLinks join links on links.id = commentLinks.link where is_stale = 1 and route = ? order by link',
  );
  const move = db.prepare('update commentLinks set link = @to where link = @from');
  return {
    add(commentLink) {
      const result = unlessTaken(
        () => takenMessage(commentLink),
        () => insert.run(columnsOf(commentLink, scrub)),
      );
      return { ...commentLink, id: commentLinkId(Number(result.lastInsertRowid)) };
    },
    save(commentLink) {
      const result = unlessTaken(
        () => takenMessage(commentLink),
        () => update.run({ ...columnsOf(commentLink, scrub), id: commentLink.id }),
      );
      if (result.changes === 0)
        throw new Error(`CommentLink ${commentLink.id} of link ${commentLink.link} cannot be saved: it was removed`);
    },
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : commentLinkOf(row);
    },
    ofLink: (link) => ofLink.all(link).map(commentLinkOf),
    staleLinks: (route) => staleLinks.all(route).map(({ link }) => linkId(link)),
    move(from, to) {
      unlessTaken(
        () => `Links ${from} and ${to} cannot become one: both have a comment link for the same comment`,
        () => move.run({ from, to }),
      );
    },
  };
}

function commentLinkOf(row: Row): CommentLink {
  return {
    id: commentLinkId(row.id),
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

function columnsOf(commentLink: Omit<CommentLink, 'id'>, scrub: Scrub): Columns {
  return {
    link: commentLink.link,
    origin: commentLink.origin,
    source: commentLink.source,
    part: commentLink.part,
    parts: commentLink.parts,
    count: commentLink.count,
    copy: commentLink.copy,
    state: commentLink.state,
    reason: cleanOrNull(scrub, commentLink.reason),
    author: JSON.stringify(commentLink.author),
    url: commentLink.url,
    text: commentLink.text,
    is_markdown: commentLink.isMarkdown ? 1 : 0,
    before: commentLink.before,
    digest: commentLink.digest,
    mirrored: commentLink.mirrored,
    copy_digest: commentLink.copyDigest,
    wrote: commentLink.wrote,
    is_edited: commentLink.isEdited ? 1 : 0,
    is_stale: commentLink.isStale ? 1 : 0,
    proven: commentLink.proven,
    attachment: commentLink.attachment,
    fold: commentLink.fold,
    copy_fold: commentLink.copyFold,
    remark: commentLink.remark ?? null,
    created_at: commentLink.createdAt,
  };
}

const takenMessage = (commentLink: Omit<CommentLink, 'id'>): string =>
  `Link ${commentLink.link} already has a comment link for comment ${commentLink.source}${commentLink.part > 1 ? ` (part ${commentLink.part})` : ''} of its ${commentLink.origin} side`;
