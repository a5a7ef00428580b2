/**
 * Plans the comments of a link: copies, further parts of long ones, reports of edits, and renewed copies.
 */

import { otherSide, type Side } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { aboutOf, bodyId, byTime, type CommentLink, type Link } from '../../model/link.ts';
import type {
  CommentOperation,
  EraseOperation,
  HiddenFile,
  Note,
  Operation,
  RewriteOperation,
  Skip,
} from '../../model/plan/operation.ts';
import type { PublicCommentLink, PublicLink } from '../../model/plan/public.ts';
import type { Route } from '../../model/route.ts';
import { withoutCopiesOf } from '../../text/references.ts';
import { bodyDigest } from './body.ts';
import { type CopyInput, copyOf, digestAsSent, textsOf } from './copy.ts';
import { lacksParts, writtenParts } from './parts.ts';

/**
 * Comments without a copy, further parts of long ones, reports of edits, and copies to renew, in the order in which
 * people wrote them.
 */
export function planComments(route: Route, input: CopyInput): readonly Operation[] {
  return [...input.commentLinks]
    .sort(byTime)
    .flatMap((commentLink) => (commentLink.part > 1 ? [] : planCommentLink(route, input, commentLink)));
}

/** The operations for one comment: all of its parts, or the missing ones. */
function planCommentLink(
  route: Route,
  input: CopyInput,
  commentLink: PublicCommentLink,
): readonly (CommentOperation | Renewal)[] {
  const { link } = input;
  if (commentLink.state === 'pending') return copiesOf(route, input, commentLink);
  if (commentLink.state === 'gone') return deletionOf(link, commentLink);
  if (commentLink.state !== 'mirrored') return [];
  if (commentLink.origin === 'github' && commentLink.digest !== commentLink.mirrored && commentLink.text !== null)
    return editsOf(route, input, commentLink);
  const edits = commentLink.copy?.id === bodyId ? editOfBody(route, input, commentLink) : [];
  if (isRenewable(commentLink)) return [...edits, ...planRenewal(route, input, commentLink)];
  return lacksParts(commentLink, input.commentLinks) && commentLink.text !== null
    ? [...edits, ...restOf(route, input, commentLink)]
    : edits;
}

function copiesOf(route: Route, input: CopyInput, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const { link } = input;
  const { length: parts } = copyOf(route, input, commentLink).texts;
  const key = `${link.id}:${sideOfCopy(commentLink)}:comment:${commentLink.source}`;
  return [operationFor(link, commentLink, { key, parts, tells: 'copy' }), ...furtherParts(link, commentLink, parts)];
}

function editsOf(route: Route, input: CopyInput, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const parts = textsOf(route, input, commentLink, 'edit')?.texts.length ?? 1;
  return [editFor(input.link, commentLink, parts), ...furtherParts(input.link, commentLink, parts)];
}

const editFor = (link: PublicLink, commentLink: PublicCommentLink, parts: number): CommentOperation =>
  operationFor(link, commentLink, {
    key: `${link.id}:tracker:edit:${commentLink.source}`,
    parts,
    tells: 'edit',
    on: 'tracker',
  });

/** The copy of a deleted comment stays on the tracker; the deletion is reported on the bug if the route says so. */
function deletionOf(link: PublicLink, commentLink: PublicCommentLink): readonly CommentOperation[] {
  if (!commentLink.isStale || commentLink.origin !== 'github' || commentLink.copy === null) return [];
  return [
    operationFor(link, commentLink, {
      key: `${link.id}:tracker:deletion:${commentLink.source}`,
      parts: 1,
      tells: 'deletion',
    }),
  ];
}

/** The missing parts of a copy or of a report: beyond the first part they are the same. */
function restOf(route: Route, input: CopyInput, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const there = writtenParts(commentLink, input.commentLinks);
  return furtherParts(input.link, commentLink, copyOf(route, input, commentLink).texts.length).filter(
    ({ part }) => !there.has(part),
  );
}

/**
 * If a body was edited, only the first part of the report is written. An unchanged body is not rendered, because every
 * plan gets here.
 */
function editOfBody(route: Route, input: CopyInput, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const issue = input.link.github;
  const copyDigest = commentLink.copy?.digest ?? null;
  // On a route to GitHub, an edit is not reported; the body may be restored instead.
  if (issue === null || copyDigest === null || (route.direction === 'to-github' && route.copies === 'restore'))
    return [];
  if (bodyDigest(issue.body) === copyDigest) return [];
  const report = textsOf(route, input, commentLink, 'edit');
  return report === null
    ? []
    : [editFor(input.link, { ...commentLink, source: bodyId, digest: report.digest }, report.texts.length)];
}

type Renewal = RewriteOperation | CommentOperation | EraseOperation;

/**
 * The operations that renew the copy of a tracker text. Each part of a text has its own copy:
 *
 *   it says something else   it is rewritten
 *   it is missing            it is written, as the text became longer
 *   it is no longer needed   it is erased
 *   people deleted it        it stays deleted
 */
export function planRenewal(route: Route, input: CopyInput, commentLink: PublicCommentLink): readonly Renewal[] {
  if (!isComparable(commentLink)) return [];
  const { link, commentLinks } = input;
  const copy = copyOf(route, input, commentLink);
  const unlinked = planUnlinking(route, input, commentLink, copy.hidden);
  if (isPeoples(route, link, commentLink)) return unlinked;
  const rows = [commentLink, ...partsOf(commentLink, commentLinks)];
  const rewritten = copy.texts.flatMap((text, index) => {
    const row = rows.find(({ part }) => part === index + 1);
    return row !== undefined && row.copy !== null && isToRewrite(route, row, text)
      ? [rewriteOf(link, commentLink, row, copy.texts.length)]
      : [];
  });
  const there = new Set(rows.filter(({ state }) => state !== 'skipped').map(({ part }) => part));
  const added = furtherParts(link, commentLink, copy.texts.length).filter(({ part }) => !there.has(part));
  const erased = rows.filter(
    ({ part, copy: id, state }) => part > copy.texts.length && id !== null && state === 'mirrored',
  );
  return [...rewritten, ...added, ...erased.map((row) => erasureOf(link, row)), ...unlinked];
}

/**
 * What people wrote over a copy stays, but for the addresses of files that are not public any more. A comment is read
 * again before the write, as the state does not know its words.
 */
function planUnlinking(
  route: Route,
  { link, commentLinks }: CopyInput,
  commentLink: PublicCommentLink,
  files: readonly HiddenFile[],
): readonly RewriteOperation[] {
  const body = link.github?.body ?? '';
  const isSuspect = (row: CommentLink) => row.copy?.id !== bodyId || withoutCopiesOf(files, body) !== body;
  if (files.length === 0 || !keptCopies(route, link, commentLink, commentLinks).some(isSuspect)) return [];
  const whole = rewriteOf(link, commentLink, commentLink, 1);
  return [{ ...whole, key: `${link.id}:github:unlink:${commentLink.source}`, isEdit: false, hides: files }];
}

/** Copies that turned out to be correct, or belong to people by now: their marks are cleared. */
export function freshNotes(route: Route, input: CopyInput): readonly Note[] {
  return input.commentLinks
    .filter(
      (commentLink) =>
        commentLink.isStale && isComparable(commentLink) && planRenewal(route, input, commentLink).length === 0,
    )
    .map((commentLink) => {
      const { texts, mentions } = copyOf(route, input, commentLink);
      const isRight = texts.length === 1 && digestAsSent(commentLink, texts[0] ?? '') === commentLink.copy?.digest;
      return { kind: 'fresh', link: input.link.id, commentLink: commentLink.id, mentions, isRight };
    });
}

/** Copies that people changed by hand and that are left alone. */
export function editedSkips(
  route: Route,
  { link, commentLinks }: Pick<CopyInput, 'link' | 'commentLinks'>,
): readonly Skip[] {
  const edited = commentLinks.filter(
    (commentLink) => commentLink.origin === 'tracker' && commentLink.state === 'mirrored' && isLeft(route, commentLink),
  );
  if (edited.length === 0 || link.issue === null) return [];
  const what = edited.length === 1 ? 'a copy was' : `each of ${edited.length} copies was`;
  const why = route.copies === 'leave' ? 'copies: leave' : 'the text of an issue is of those who edit it';
  const reason = `${what} changed by hand on GitHub and is not overwritten (${why}); later changes on the tracker do not appear there`;
  return [{ link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: false }];
}

const isRenewable = (commentLink: CommentLink): boolean => commentLink.isStale && isComparable(commentLink);

const isComparable = ({ origin, state, part, text, copy }: CommentLink): boolean =>
  origin === 'tracker' && state === 'mirrored' && part === 1 && text !== null && copy !== null;

const partsOf = ({ origin, source }: CommentLink, commentLinks: readonly CommentLink[]): readonly CommentLink[] =>
  commentLinks.filter((each) => each.part > 1 && each.origin === origin && each.source === source);

/**
 * The body of an issue may be edited on GitHub: the edit is reported to the bug, and the body belongs to people from
 * then on.
 */
function isPeoples(route: Route, { github }: Link, commentLink: CommentLink): boolean {
  if (commentLink.copy?.id !== bodyId) return false;
  const isEdited = commentLink.copy?.isEdited === true || github === null || isEditedSince(github, commentLink);
  return isEdited && (route.direction !== 'to-github' || route.copies === 'leave');
}

/** The copies of a text that are not rewritten, as they are people's or may be. */
export function keptCopies(
  route: Route,
  link: Link,
  first: CommentLink,
  commentLinks: readonly CommentLink[],
): readonly CommentLink[] {
  const isKept = ({ copy, wrote }: CommentLink) =>
    isPeoples(route, link, first) || (copy?.isEdited === true ? route.copies === 'leave' : wrote === null);
  return [first, ...partsOf(first, commentLinks)].filter(
    (row) => row.state === 'mirrored' && row.copy !== null && isKept(row),
  );
}

const isEditedSince = (issue: Issue, commentLink: CommentLink): boolean =>
  bodyDigest(issue.body) !== commentLink.copy?.digest;

const isLeft = (route: Route, commentLink: CommentLink): boolean =>
  commentLink.copy?.isEdited === true &&
  (route.copies === 'leave' || (commentLink.copy?.id === bodyId && route.direction !== 'to-github'));

/** If our last text is unknown, any other text may be an edit by people, or contain more than may be shown by now. */
function isToRewrite(route: Route, row: CommentLink, text: string): boolean {
  if (row.state !== 'mirrored') return false;
  if (row.copy?.isEdited === true) return route.copies === 'restore';
  return row.wrote !== null && digestAsSent(row, text) !== row.wrote;
}

function rewriteOf(link: Link, commentLink: CommentLink, row: CommentLink, parts: number): RewriteOperation {
  const part = row.part === 1 ? '' : `:${row.part}`;
  const place = {
    key: `${link.id}:github:rewrite:${commentLink.source}${part}`,
    link: link.id,
    about: aboutOf(link, 'github'),
  };
  const isEdit = commentLink.digest !== commentLink.mirrored;
  return { kind: 'rewrite', on: 'github', ...place, commentLink: row.id, digest: commentLink.digest, parts, isEdit };
}

function erasureOf(link: Link, row: CommentLink): EraseOperation {
  const place = {
    key: `${link.id}:github:erase:${row.source}:${row.part}`,
    link: link.id,
    about: aboutOf(link, 'github'),
  };
  return { kind: 'erase', on: 'github', ...place, commentLink: row.id, reason: 'the text has become shorter' };
}

/** The parts beyond the first. Their keys contain the digest of their text, so that a later text is a new operation. */
export function furtherParts(link: Link, commentLink: CommentLink, parts: number): readonly CommentOperation[] {
  const key = `${link.id}:${sideOfCopy(commentLink)}:comment:${commentLink.source}:${commentLink.digest}`;
  return Array.from({ length: parts - 1 }, (_, index) =>
    operationFor(link, commentLink, { key, parts, tells: 'copy', part: index + 2 }),
  );
}

export interface Writing {
  readonly key: string;
  /** Number of parts of the text. */
  readonly parts: number;
  readonly tells: CommentOperation['tells'];
  readonly part?: number;
  readonly on?: Side;
}

function operationFor(
  link: Link,
  commentLink: CommentLink,
  { key, parts, tells, part = 1, on = sideOfCopy(commentLink) }: Writing,
): CommentOperation {
  const place = {
    key: part === 1 ? key : `${key}:${part}`,
    link: link.id,
    about: aboutOf(link, on),
    commentLink: commentLink.id,
  };
  return { kind: 'comment', on, ...place, digest: commentLink.digest, tells, part, parts };
}

const sideOfCopy = ({ origin }: CommentLink): Side => otherSide(origin);
