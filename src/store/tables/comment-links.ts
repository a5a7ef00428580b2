/** Comments with their copies, and what the copies mention. */

import type { Database } from 'better-sqlite3';
import { type CommentLinkId, commentLinkId, type LinkId, linkId } from '../../model/ids.ts';
import type { CommentCopy, CommentLink, CommentOrigin, CommentStatus, NewCommentLink } from '../../model/link.ts';
import type { Clean, Scrub } from '../../model/runtime.ts';
import type { CommentLinks, Mentions } from '../../model/store.ts';
import {
  cleanOrNull,
  flag,
  type RowOf,
  readJson,
  recordOrNull,
  unlessTaken,
  valuesOf,
  writerOf,
  writesOf,
} from '../columns.ts';

const columns = {
  link: ({ link }: NewCommentLink) => link,
  origin: ({ origin }: NewCommentLink) => origin,
  source: ({ source }: NewCommentLink) => source,
  part: ({ part }: NewCommentLink) => part,
  parts: ({ parts }: NewCommentLink) => parts,
  count: ({ count }: NewCommentLink) => count,
  state: ({ state }: NewCommentLink) => state,
  reason: ({ reason }: NewCommentLink, scrub: Scrub): Clean | null => cleanOrNull(scrub, reason),
  author: ({ author }: NewCommentLink) => JSON.stringify(author),
  url: ({ url }: NewCommentLink) => url,
  text: ({ text }: NewCommentLink) => text,
  before: ({ before }: NewCommentLink) => before,
  digest: ({ digest }: NewCommentLink) => digest,
  mirrored: ({ mirrored }: NewCommentLink) => mirrored,
  wrote: ({ wrote }: NewCommentLink) => wrote,
  is_stale: ({ isStale }: NewCommentLink) => flag(isStale),
  copy: ({ copy }: NewCommentLink) => copy?.id ?? null,
  copy_digest: ({ copy }: NewCommentLink) => copy?.digest ?? null,
  copy_is_edited: ({ copy }: NewCommentLink) => flag(copy?.isEdited ?? false),
  copy_minimized: ({ copy }: NewCommentLink) => copy?.minimize ?? null,
  is_markdown: ({ isMarkdown }: NewCommentLink) => flag(isMarkdown ?? false),
  checked_digest: ({ checkedDigest }: NewCommentLink) => checkedDigest,
  attachment: ({ attachment }: NewCommentLink) => attachment,
  minimized: ({ minimize }: NewCommentLink) => minimize,
  remark: ({ remark }: NewCommentLink) => remark ?? null,
  created_at: ({ createdAt }: NewCommentLink) => createdAt,
  changed_at: ({ changedAt }: NewCommentLink) => changedAt ?? null,
};

type Row = RowOf<typeof columns>;

const sql = writesOf('comment_links', columns);

export function sqliteCommentLinks(db: Database, scrub: Scrub): CommentLinks {
  const { add, save } = writerOf<NewCommentLink, CommentLink>(db, sql, {
    values: (record) => valuesOf(columns, record, scrub),
    taken: takenMessage,
    name: ({ id, link }) => `Comment link ${id} of link ${link}`,
  });
  const byId = db.prepare<[CommentLinkId], Row>('select * from comment_links where id = ?');
  // The tracker's times are whole seconds; within one second, the ids on the side of origin give the order.
  const ofLink = db.prepare<[LinkId], Row>(
    'select * from comment_links where link = ? order by created_at, source, part, id',
  );
  const ofSource = db.prepare<[LinkId, string, number], Row>(
    'select * from comment_links where link = ? and origin = ? and source = ? order by part, id',
  );
  const among = 'in (select value from json_each(@values))';
  const withCounts = db.prepare<[{ link: LinkId; values: string }], Row>(
    `select * from comment_links where link = @link and count ${among} order by id`,
  );
  const withIds = db.prepare<[{ link: LinkId; values: string }], Row>(`
    select * from comment_links where link = @link and copy ${among}
    union all select * from comment_links where link = @link and origin = 'github' and source ${among}`);
  const search = (found: typeof withCounts, link: LinkId, values: readonly number[]): readonly Row[] =>
    values.length === 0 ? [] : found.all({ link, values: JSON.stringify(values) });
  // The condition matches the index, so that only stale comment links are read.
  const staleLinks = db.prepare<[string], { readonly link: number }>(
    'select distinct link from comment_links cross join links on links.id = comment_links.link where is_stale = 1 and route = ? order by link',
  );
  // The order of the tables is fixed: only the threads of links that are due are looked at.
  const waiting = db.prepare<
    [string],
    { readonly link: number } & Record<'tracker' | 'github' | 'bug' | 'issue', number>
  >(
    `select links.id as link, links.bug is not null as bug, links.issue is not null as issue,
       sum(comment_links.origin = 'tracker' and count is not 0) as tracker, sum(comment_links.origin = 'github' and source <> 0) as github
     from links indexed by links_wanting cross join comment_links on comment_links.link = links.id
     where route = ? and urgency > 0 and links.state <> 'tombstone' and links.state = 'live'
       and comment_links.state = 'pending' group by links.id`,
  );
  const lengths = db.prepare<[string, number, number], Record<'comments' | 'files', number>>(`
    select (select count(*) from comment_links where link = links.id and origin = 'tracker' and part = 1 and count is not 0) as comments,
      (select count(*) from attachment_links where link = links.id and origin = 'tracker' and reason is null) as files
    from links where links.route = ? and links.id > ? and links.id <= ? and origin = 'tracker' and issue is not null`);
  const move = db.prepare('update comment_links set link = @to where link = @from');
  return {
    add: (record) => ({ ...record, id: commentLinkId(add(record)) }),
    save,
    byId: (id) => recordOrNull(byId.get(id), commentLinkOf),
    ofLink: (link) => ofLink.all(link).map(commentLinkOf),
    ofSource: (link, origin, source) => ofSource.all(link, origin, source).map(commentLinkOf),
    named: (link, { counts, ids }) =>
      [...search(withCounts, link, counts), ...search(withIds, link, ids)].map(commentLinkOf),
    staleLinks: (route) => staleLinks.all(route).map(({ link }) => linkId(link)),
    waiting: (route) =>
      waiting.all(route).map(({ link, bug, issue, tracker, github }) => ({
        ...{ link: linkId(link), tracker, github },
        ...{ hasBug: bug === 1, hasIssue: issue === 1 },
      })),
    lengths: (route, after, upTo) => lengths.all(route, after, upTo),
    move(from, to) {
      unlessTaken(
        () => `Links ${from} and ${to} cannot become one: both have a comment link for the same comment`,
        () => move.run({ from, to }),
      );
    },
  };
}

function commentLinkOf(row: Row): CommentLink {
  const { id, link, source, part, parts, count, url, text, before, digest, mirrored, wrote } = row;
  return {
    ...{ source, part, parts, count, url, text, before, digest, mirrored, wrote },
    id: commentLinkId(id),
    link: linkId(link),
    author: readJson(row.author),
    isStale: row.is_stale === 1,
    ...(row.remark === null ? {} : { remark: row.remark }),
    createdAt: row.created_at,
    ...(row.changed_at === null ? {} : { changedAt: row.changed_at }),
    ...originOf(row),
    ...statusOf(row),
  };
}

function originOf({
  origin,
  is_markdown,
  checked_digest: checkedDigest,
  attachment,
  minimized: minimize,
}: Row): CommentOrigin {
  if (origin === 'github') return { origin, checkedDigest: null, attachment: null, minimize: null };
  return { origin, ...(is_markdown === 1 ? { isMarkdown: true } : {}), checkedDigest, attachment, minimize };
}

/** The constraints of the table guarantee that the columns fit together. */
function statusOf({ state, reason: words, ...row }: Row): CommentStatus {
  const { copy: id, copy_digest: digest, copy_is_edited, copy_minimized: minimize } = row;
  const copy: CommentCopy | null = id === null ? null : { id, digest, isEdited: copy_is_edited === 1, minimize };
  const reason = words ?? '';
  if (state === 'pending') return { state, reason: null, copy: null };
  if (state === 'mirrored') return { state, reason: null, copy };
  return state === 'skipped' ? { state, reason, copy: null } : { state, reason, copy };
}

const takenMessage = (commentLink: NewCommentLink): string =>
  `Link ${commentLink.link} already has a comment link for comment ${commentLink.source}${commentLink.part > 1 ? ` (part ${commentLink.part})` : ''} of its ${commentLink.origin} side`;

export function sqliteMentions(db: Database): Mentions {
  const clear = db.prepare('delete from mentions where comment_link = ?');
  const insert = db.prepare('insert or ignore into mentions (comment_link, mention) values (?, ?)');
  const of = db.prepare<[string], { readonly comment_link: number }>(
    'select comment_link from mentions where mention = ? order by comment_link',
  );
  return {
    replace: db.transaction((commentLink: CommentLinkId, mentions: readonly string[]) => {
      clear.run(commentLink);
      for (const mention of mentions) insert.run(commentLink, mention);
    }),
    of: (mention) => of.all(mention).map(({ comment_link: id }) => commentLinkId(id)),
  };
}
