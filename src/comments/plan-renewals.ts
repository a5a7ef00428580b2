import { digestOf } from '../kernel/digest.ts';
import type { Issue } from '../model/item.ts';
import { aboutOf, bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { CommentOperation, EraseOperation, Note, RewriteOperation, Skip } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicCommentLink } from '../privacy/gate.ts';
import { canonicalText } from '../text/canonical.ts';
import { copyOf, type Talk } from './copy.ts';
import { furtherParts } from './parts.ts';
import { bodyDigest } from './thread.ts';

export type Renewal = RewriteOperation | CommentOperation | EraseOperation;

/**
 * The operations that renew the copy of a tracker text. Each part of a text has its own copy:
 *
 *   it says something else   it is rewritten
 *   it is missing            it is written, as the text became longer
 *   it is no longer needed   it is erased
 *   people deleted it        it stays deleted
 */
export function planRenewal(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly Renewal[] {
  if (!isComparable(commentLink) || isPeoples(route, talk.link, commentLink)) return [];
  const { link, commentLinks } = talk;
  const copy = copyOf(route, talk, commentLink);
  const rows = [commentLink, ...partsOf(commentLink, commentLinks)];
  const rewritten = copy.texts.flatMap((text, index) => {
    const row = rows.find(({ part }) => part === index + 1);
    return row !== undefined && row.copy !== null && isToRewrite(route, row, text)
      ? [rewriteOf(link, commentLink, row, copy.texts.length)]
      : [];
  });
  const there = new Set(rows.filter(({ state }) => state !== 'skipped').map(({ part }) => part));
  const added = furtherParts(link, commentLink, copy.texts.length).filter(({ part }) => !there.has(part));
  const erased = rows.filter(({ part, copy: id, state }) => part > copy.texts.length && id !== null && state === 'mirrored');
  return [...rewritten, ...added, ...erased.map((row) => erasureOf(link, row))];
}

/** Copies that turned out to be correct, or belong to people by now: their marks are cleared. */
export function freshNotes(route: Route, talk: Talk): readonly Note[] {
  return talk.commentLinks
    .filter((commentLink) => commentLink.isStale && isComparable(commentLink) && planRenewal(route, talk, commentLink).length === 0)
    .map((commentLink) => {
      const { texts, mentions } = copyOf(route, talk, commentLink);
      const isRight = texts.length === 1 && digestAsSent(commentLink, texts[0] ?? '') === commentLink.copy?.digest;
      return { kind: 'fresh', link: talk.link.id, commentLink: commentLink.id, mentions, isRight };
    });
}

/** Copies that people changed by hand and that are left alone. */
export function editedSkips(route: Route, { link, commentLinks }: Pick<Talk, 'link' | 'commentLinks'>): readonly Skip[] {
  const edited = commentLinks.filter(
    (commentLink) => commentLink.origin === 'tracker' && commentLink.state === 'mirrored' && isLeft(route, commentLink),
  );
  if (edited.length === 0 || link.issue === null) return [];
  const what = edited.length === 1 ? 'a copy was' : `${edited.length} copies were`;
  const reason = `${what} changed by hand on GitHub and left so (copies: leave); later changes of the tracker do not show there`;
  return [{ link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: false }];
}

export const isRenewable = (commentLink: CommentLink): boolean => commentLink.isStale && isComparable(commentLink);

const isComparable = ({ origin, state, part, text, copy }: CommentLink): boolean =>
  origin === 'tracker' && state === 'mirrored' && part === 1 && text !== null && copy !== null;

const partsOf = ({ origin, source }: CommentLink, commentLinks: readonly CommentLink[]): readonly CommentLink[] =>
  commentLinks.filter((each) => each.part > 1 && each.origin === origin && each.source === source);

/** The body of an issue may be edited on GitHub: the edit is reported to the bug, and the body belongs to people from then on. */
function isPeoples(route: Route, { github }: Link, commentLink: CommentLink): boolean {
  if (commentLink.copy?.id !== bodyId) return false;
  const isEdited = commentLink.copy?.isEdited === true || github === null || isEditedSince(github, commentLink);
  return isEdited && (route.direction !== 'to-github' || route.copies === 'leave');
}

const isEditedSince = (issue: Issue, commentLink: CommentLink): boolean => bodyDigest(issue.body) !== commentLink.copy?.digest;

const isLeft = (route: Route, commentLink: CommentLink): boolean =>
  commentLink.copy?.isEdited === true && (route.copies === 'leave' || commentLink.copy?.id === bodyId);

/** If our last text is unknown, any other text may be an edit by people, or contain more than may be shown by now. */
function isToRewrite(route: Route, row: CommentLink, text: string): boolean {
  if (row.state !== 'mirrored') return false;
  if (row.copy?.isEdited === true) return route.copies === 'restore';
  return row.wrote !== null && digestAsSent(row, text) !== row.wrote;
}

/** Digest of a text as the copy will show it. */
const digestAsSent = ({ copy }: CommentLink, text: string): string =>
  copy?.id === bodyId ? bodyDigest(text) : digestOf(canonicalText(text));

function rewriteOf(link: Link, commentLink: CommentLink, row: CommentLink, parts: number): RewriteOperation {
  const part = row.part === 1 ? '' : `:${row.part}`;
  const place = { key: `${link.id}:github:rewrite:${commentLink.source}${part}`, link: link.id, about: aboutOf(link, 'github') };
  const isEdit = commentLink.digest !== commentLink.mirrored;
  return { kind: 'rewrite', on: 'github', ...place, commentLink: row.id, digest: commentLink.digest, parts, isEdit };
}

function erasureOf(link: Link, row: CommentLink): EraseOperation {
  const place = { key: `${link.id}:github:erase:${row.source}:${row.part}`, link: link.id, about: aboutOf(link, 'github') };
  return { kind: 'erase', on: 'github', ...place, commentLink: row.id, reason: 'the text has become shorter' };
}
