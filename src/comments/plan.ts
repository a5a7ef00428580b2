import { bodyId, byTime } from '../model/link.ts';
import type { CommentOperation, Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicCommentLink, PublicLink } from '../privacy/gate.ts';
import { copyOf, renderingOf, type Talk } from './copy.ts';
import { furtherParts, lacksParts, operationFor, partsThere, sideOfCopy } from './parts.ts';
import { isRenewable, planRenewal, type Renewal } from './plan-renewals.ts';
import { bodyDigest } from './thread.ts';

/**
 * Comments that have no copy yet, further parts of long ones, reports of edits, and copies that are to be put right, in the order in
 * which people wrote them.
 */
export function planComments(route: Route, talk: Talk): readonly Operation[] {
  return [...talk.commentLinks]
    .sort(byTime)
    .flatMap((commentLink) => (commentLink.part > 1 ? [] : planCommentLink(route, talk, commentLink)));
}

/** What is to be written of one commentLink: all of its parts, or those that are missing. */
function planCommentLink(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly (CommentOperation | Renewal)[] {
  const { link } = talk;
  if (commentLink.state === 'pending') return copiesOf(route, talk, commentLink);
  if (commentLink.state === 'gone') return deletionOf(link, commentLink);
  if (commentLink.state !== 'mirrored') return [];
  if (commentLink.origin === 'github' && commentLink.digest !== commentLink.mirrored && commentLink.text !== null)
    return editsOf(route, talk, commentLink);
  const told = commentLink.copy?.id === bodyId ? editOfBody(route, talk, commentLink) : [];
  if (isRenewable(commentLink)) return [...told, ...planRenewal(route, talk, commentLink)];
  return lacksParts(commentLink, talk.commentLinks) && commentLink.text !== null ? [...told, ...restOf(route, talk, commentLink)] : told;
}

function copiesOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const { link } = talk;
  const { length: parts } = copyOf(route, talk, commentLink).texts;
  const key = `${link.id}:${sideOfCopy(commentLink)}:comment:${commentLink.source}`;
  return [operationFor(link, commentLink, { key, parts, tells: 'copy' }), ...furtherParts(link, commentLink, parts)];
}

function editsOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const parts = renderingOf(route, talk, commentLink, 'edit')?.texts.length ?? 1;
  return [editFor(talk.link, commentLink, parts), ...furtherParts(talk.link, commentLink, parts)];
}

const editFor = (link: PublicLink, commentLink: PublicCommentLink, parts: number): CommentOperation =>
  operationFor(link, commentLink, { key: `${link.id}:tracker:edit:${commentLink.source}`, parts, tells: 'edit', on: 'tracker' });

/** The copy of a deleted comment stays on the tracker; the bug hears of it where the route says so. */
function deletionOf(link: PublicLink, commentLink: PublicCommentLink): readonly CommentOperation[] {
  if (!commentLink.isStale || commentLink.origin !== 'github' || commentLink.copy === null) return [];
  return [operationFor(link, commentLink, { key: `${link.id}:tracker:deletion:${commentLink.source}`, parts: 1, tells: 'deletion' })];
}

/** The parts that are missing, of a copy or of a report: beyond the first they are the same. */
function restOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const there = partsThere(commentLink, talk.commentLinks);
  return furtherParts(talk.link, commentLink, copyOf(route, talk, commentLink).texts.length).filter(({ part }) => !there.has(part));
}

/** Of an edited body the bug gets the first part of the report only. A body that is as we last saw it is not rendered: every plan asks. */
function editOfBody(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const issue = talk.link.github;
  const copyDigest = commentLink.copy?.digest ?? null;
  // Nobody hears of it on a route to GitHub; there it may be put right.
  if (issue === null || copyDigest === null || (route.direction === 'to-github' && route.copies === 'restore')) return [];
  if (bodyDigest(issue.body) === copyDigest) return [];
  const edit = renderingOf(route, talk, commentLink, 'edit');
  return edit === null ? [] : [editFor(talk.link, { ...commentLink, source: bodyId, digest: edit.digest }, edit.texts.length)];
}
