import type { Database } from 'better-sqlite3';
import type { AttachmentLink, AttachmentState } from '../../model/attachment.ts';
import { type AttachmentLinkId, attachmentLinkId, type LinkId, linkId, type Side } from '../../model/ids.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { AttachmentLinks } from '../../model/store.ts';
import { cleanOrNull, readJson } from '../json.ts';
import { unlessTaken } from '../lock.ts';

interface Row {
  readonly id: number;
  readonly link: number;
  readonly origin: Side;
  readonly source: string;
  readonly url: string;
  readonly name: string;
  readonly summary: string;
  readonly type: string;
  readonly size: number | null;
  readonly is_patch: number;
  readonly is_obsolete: number;
  readonly flags: string;
  readonly state: AttachmentState;
  readonly reason: string | null;
  readonly path: string | null;
  readonly copy_url: string | null;
  readonly copy: number | null;
  readonly sha256: string | null;
  readonly excerpt: string | null;
  readonly proven: string | null;
  readonly created_at: number;
}

type Columns = Omit<Row, 'id' | 'reason'> & { readonly reason: Clean | null };

const insertSql = `
  insert into attachmentLinks (link, origin, source, url, name, summary, type, size, is_patch, is_obsolete, flags, state, reason, path,
    copy_url, copy, sha256, excerpt, proven, created_at)
  values (@link, @origin, @source, @url, @name, @summary, @type, @size, @is_patch, @is_obsolete, @flags, @state, @reason, @path,
    @copy_url, @copy, @sha256, @excerpt, @proven, @created_at)`;

const updateSql = `
  update attachmentLinks set link = @link, origin = @origin, source = @source, url = @url, name = @name, summary = @summary, type = @type,
    size = @size, is_patch = @is_patch, is_obsolete = @is_obsolete, flags = @flags, state = @state, reason = @reason, path = @path, copy_url = @copy_url,
    copy = @copy, sha256 = @sha256, excerpt = @excerpt, proven = @proven, created_at = @created_at
  where id = @id`;

export function sqliteAttachmentLinks(db: Database, scrub: Scrub): AttachmentLinks {
  const insert = db.prepare<[Columns]>(insertSql);
  const update = db.prepare<[Columns & { readonly id: number }]>(updateSql);
  const byId = db.prepare<[AttachmentLinkId], Row>('select * from attachmentLinks where id = ?');
  const ofLink = db.prepare<[LinkId], Row>('select * from attachmentLinks where link = ? order by created_at, id');
  const byAttachment = db.prepare<[string], Row>(
    "select * from attachmentLinks where source = ? and origin = 'tracker' order by id limit 1",
  );
  const hasCopy = '(copy_url is not null or copy is not null)';
  const dropTwins = db.prepare(`
    delete from attachmentLinks where link = @loser and (origin, source) in (select origin, source from attachmentLinks where link = @winner and
    (@isSparing = 0 or ${hasCopy}))`);
  const move = db.prepare('update attachmentLinks set link = @to where link = @from');
  const withdrawn = db.prepare<[string], { readonly count: number }>(`
    select count(*) as count from attachmentLinks indexed by attachment_links_withdrawn cross join links on links.id = attachmentLinks.link
    where attachmentLinks.state = 'withdrawn' and links.route = ?`);
  const readAt = db.prepare<[LinkId], { thread_read_at: number }>('select thread_read_at from file_readings where link = ?');
  const markRead = db.prepare('insert or replace into file_readings (link, thread_read_at) values (?, ?)');
  return {
    add(attachmentLink) {
      const result = unlessTaken(
        () => takenMessage(attachmentLink),
        () => insert.run(columnsOf(attachmentLink, scrub)),
      );
      return { ...attachmentLink, id: attachmentLinkId(Number(result.lastInsertRowid)) };
    },
    save(attachmentLink) {
      const result = unlessTaken(
        () => takenMessage(attachmentLink),
        () => update.run({ ...columnsOf(attachmentLink, scrub), id: attachmentLink.id }),
      );
      if (result.changes === 0)
        throw new Error(`AttachmentLink ${attachmentLink.id} of link ${attachmentLink.link} cannot be saved: it was removed`);
    },
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : attachmentLinkOf(row);
    },
    byAttachment(id) {
      const row = byAttachment.get(String(id));
      return row === undefined ? null : attachmentLinkOf(row);
    },
    ofLink: (link) => ofLink.all(link).map(attachmentLinkOf),
    move: db.transaction((from: LinkId, to: LinkId) => {
      dropTwins.run({ loser: to, winner: from, isSparing: 1 });
      dropTwins.run({ loser: from, winner: to, isSparing: 0 });
      move.run({ from, to });
    }),
    withdrawn: (route) => withdrawn.get(route)?.count ?? 0,
    readAt: (link) => readAt.get(link)?.thread_read_at ?? null,
    markRead: (link, threadReadAt) => void markRead.run(link, threadReadAt),
  };
}

function attachmentLinkOf(row: Row): AttachmentLink {
  const { id, link, is_patch, is_obsolete, flags, copy_url, created_at, ...same } = row;
  return {
    ...same,
    id: attachmentLinkId(id),
    link: linkId(link),
    isPatch: is_patch === 1,
    isObsolete: is_obsolete === 1,
    flags: readJson(flags),
    copyUrl: copy_url,
    createdAt: created_at,
  };
}

function columnsOf(attachmentLink: Omit<AttachmentLink, 'id'>, scrub: Scrub): Columns {
  const { link, origin, source, url, name, summary, type, size, state, path, copy, sha256, excerpt, proven } = attachmentLink;
  return {
    ...{ link, origin, source, url, name, summary, type, size, state, path, copy, sha256, excerpt, proven },
    reason: cleanOrNull(scrub, attachmentLink.reason),
    is_patch: attachmentLink.isPatch ? 1 : 0,
    is_obsolete: attachmentLink.isObsolete ? 1 : 0,
    flags: JSON.stringify(attachmentLink.flags),
    copy_url: attachmentLink.copyUrl,
    created_at: attachmentLink.createdAt,
  };
}

const takenMessage = (attachmentLink: Omit<AttachmentLink, 'id'>): string =>
  `Link ${attachmentLink.link} already has a attachment link for the file ${attachmentLink.source} of its ${attachmentLink.origin} side`;
