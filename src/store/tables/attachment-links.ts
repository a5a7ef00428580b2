import type { Database } from 'better-sqlite3';
import type {
  AttachedCopy,
  AttachmentLink,
  AttachmentLinks,
  AttachmentStatus,
  NewAttachmentLink,
  StoredCopy,
} from '../../model/attachment.ts';
import { type AttachmentLinkId, attachmentLinkId, type LinkId, linkId } from '../../model/ids.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import { cleanOrNull, flag, type RowOf, readJson, recordOrNull, valuesOf, writerOf, writesOf } from '../columns.ts';

const columns = {
  link: ({ link }: NewAttachmentLink) => link,
  origin: ({ origin }: NewAttachmentLink) => origin,
  source: ({ source }: NewAttachmentLink) => source,
  url: ({ url }: NewAttachmentLink) => url,
  name: ({ name }: NewAttachmentLink) => name,
  summary: ({ summary }: NewAttachmentLink) => summary,
  type: ({ type }: NewAttachmentLink) => type,
  size: ({ size }: NewAttachmentLink) => size,
  is_patch: ({ isPatch }: NewAttachmentLink) => flag(isPatch),
  is_obsolete: ({ isObsolete }: NewAttachmentLink) => flag(isObsolete),
  flags: ({ flags }: NewAttachmentLink) => JSON.stringify(flags),
  state: ({ state }: NewAttachmentLink) => state,
  reason: ({ reason }: NewAttachmentLink, scrub: Scrub): Clean | null => cleanOrNull(scrub, reason),
  path: ({ path }: NewAttachmentLink) => path,
  checked_digest: ({ checkedDigest }: NewAttachmentLink) => checkedDigest,
  sha256: (link: NewAttachmentLink) => (link.origin === 'tracker' ? (link.copy?.sha256 ?? null) : null),
  excerpt: (link: NewAttachmentLink) => (link.origin === 'tracker' ? (link.copy?.excerpt ?? null) : null),
  copy: (link: NewAttachmentLink) => (link.origin === 'github' ? (link.copy?.id ?? null) : null),
  copy_url: ({ copy }: NewAttachmentLink) => copy?.url ?? null,
  created_at: ({ createdAt }: NewAttachmentLink) => createdAt,
};

type Row = RowOf<typeof columns>;

const sql = writesOf('attachment_links', columns);

export function sqliteAttachmentLinks(db: Database, scrub: Scrub): AttachmentLinks {
  const { add, save } = writerOf<NewAttachmentLink, AttachmentLink>(db, sql, {
    values: (record) => valuesOf(columns, record, scrub),
    taken: takenMessage,
    name: ({ id, link }) => `Attachment link ${id} of link ${link}`,
  });
  const byId = db.prepare<[AttachmentLinkId], Row>('select * from attachment_links where id = ?');
  const ofLink = db.prepare<[LinkId], Row>('select * from attachment_links where link = ? order by created_at, id');
  const named = db.prepare<[{ link: LinkId; ids: string }], Row>(`
    select * from attachment_links where link = @link
      and (origin = 'tracker' and source in (select value from json_each(@ids)) or copy in (select cast(value as integer) from json_each(@ids)))
    order by created_at, id`);
  const first = db.prepare<[LinkId], Pick<Row, 'id'>>('select id from attachment_links where link = ? limit 1');
  const waiting = db.prepare<[LinkId], Pick<Row, 'id'>>(
    "select id from attachment_links where link = ? and origin = 'tracker' and state = 'pending' and reason is null limit 1",
  );
  const byAttachment = db.prepare<[string], Row>(
    "select * from attachment_links where source = ? and origin = 'tracker' order by id desc limit 1",
  );
  const dropTwins = db.prepare(`
    delete from attachment_links where link = @loser and (origin, source) in (select origin, source from attachment_links where link = @winner and
    (@isSparing = 0 or state = 'mirrored'))`);
  const move = db.prepare('update attachment_links set link = @to where link = @from');
  const waitingOf = db.prepare<[string], { readonly link: number; readonly files: number }>(`
    select links.id as link, count(*) as files
    from links indexed by links_wanting cross join attachment_links on attachment_links.link = links.id
    where route = ? and urgency > 0 and links.state <> 'tombstone' and links.state = 'live'
      and attachment_links.state = 'pending' and attachment_links.reason is null group by links.id`);
  const withdrawn = db.prepare<[string], { readonly count: number }>(`
    select count(*) as count from attachment_links indexed by attachment_links_withdrawn cross join links on links.id = attachment_links.link
    where attachment_links.state = 'withdrawn' and links.route = ?`);
  const readAt = db.prepare<[LinkId], { thread_read_at: number }>(
    'select thread_read_at from file_readings where link = ?',
  );
  const markRead = db.prepare('insert or replace into file_readings (link, thread_read_at) values (?, ?)');
  return {
    add: (record) => ({ ...record, id: attachmentLinkId(add(record)) }),
    save,
    byId: (id) => recordOrNull(byId.get(id), attachmentLinkOf),
    byAttachment: (id) => recordOrNull(byAttachment.get(String(id)), attachmentLinkOf),
    ofLink: (link) => ofLink.all(link).map(attachmentLinkOf),
    named: (link, ids) =>
      ids.length === 0 || first.get(link) === undefined
        ? []
        : named.all({ link, ids: JSON.stringify(ids.map(String)) }).map(attachmentLinkOf),
    isWaiting: (link) => waiting.get(link) !== undefined,
    waiting: (route) => waitingOf.all(route).map(({ link, files }) => ({ link: linkId(link), files })),
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
  const {
    source,
    url,
    name,
    summary,
    type,
    size,
    path,
    checked_digest: checkedDigest,
    sha256,
    excerpt,
    copy,
    copy_url,
  } = row;
  const facts = {
    ...{ source, url, name, summary, type, size },
    id: attachmentLinkId(row.id),
    link: linkId(row.link),
    isPatch: row.is_patch === 1,
    isObsolete: row.is_obsolete === 1,
    flags: readJson<readonly string[]>(row.flags),
    createdAt: row.created_at,
  };
  if (row.origin === 'github') {
    const attached: AttachedCopy | null = copy === null ? null : { id: copy, url: copy_url };
    return { ...facts, origin: 'github', path: null, checkedDigest: null, ...statusOf(row, attached) };
  }
  const stored: StoredCopy | null = copy_url === null ? null : { url: copy_url, sha256, excerpt };
  return { ...facts, origin: 'tracker', path, checkedDigest, ...statusOf(row, stored) };
}

/** The constraints of the table guarantee that the columns fit together. */
function statusOf<Copy>({ state, reason }: Row, copy: Copy | null): AttachmentStatus<Copy> {
  if (state === 'mirrored' && copy !== null) return { state, reason: null, copy };
  if (state === 'withdrawn') return { state, reason: null, copy: null };
  return { state: state === 'linked' ? 'linked' : 'pending', reason, copy: null };
}

const takenMessage = (attachmentLink: NewAttachmentLink): string =>
  `Link ${attachmentLink.link} already has an attachment link for the file ${attachmentLink.source} of its ${attachmentLink.origin} side`;
