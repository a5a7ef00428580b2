import { bodyId, byTime } from '../model/link.ts';
import type { CommentOperation, Operation } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import type { PublicCommentLink, PublicLink } from '../privacy/gate.ts';
import { copyOf, type Talk, textsOf } from './copy.ts';
import { furtherParts, lacksParts, operationFor, partsThere, sideOfCopy } from './parts.ts';
import { isRenewable, planRenewal, type Renewal } from './plan-renewals.ts';
import { bodyDigest } from './thread.ts';

/** Comments without a copy, further parts of long ones, reports of edits, and copies to renew, in the order in which people wrote them. */
export function planComments(route: Route, talk: Talk): readonly Operation[] {
  return [...talk.commentLinks]
    .sort(byTime)
    .flatMap((commentLink) => (commentLink.part > 1 ? [] : planCommentLink(route, talk, commentLink)));
}

/** The operations for one comment: all of its parts, or the missing ones. */
function planCommentLink(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly (CommentOperation | Renewal)[] {
  const { link } = talk;
  if (commentLink.state === 'pending') return copiesOf(route, talk, commentLink);
  if (commentLink.state === 'gone') return deletionOf(link, commentLink);
  if (commentLink.state !== 'mirrored') return [];
  if (commentLink.origin === 'github' && commentLink.digest !== commentLink.mirrored && commentLink.text !== null)
    return editsOf(route, talk, commentLink);
  const edits = commentLink.copy?.id === bodyId ? editOfBody(route, talk, commentLink) : [];
  if (isRenewable(commentLink)) return [...edits, ...planRenewal(route, talk, commentLink)];
  return lacksParts(commentLink, talk.commentLinks) && commentLink.text !== null ? [...edits, ...restOf(route, talk, commentLink)] : edits;
}

function copiesOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const { link } = talk;
  const { length: parts } = copyOf(route, talk, commentLink).texts;
  const key = `${link.id}:${sideOfCopy(commentLink)}:comment:${commentLink.source}`;
  return [operationFor(link, commentLink, { key, parts, tells: 'copy' }), ...furtherParts(link, commentLink, parts)];
}

function editsOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const parts = textsOf(route, talk, commentLink, 'edit')?.texts.length ?? 1;
  return [editFor(talk.link, commentLink, parts), ...furtherParts(talk.link, commentLink, parts)];
}

const editFor = (link: PublicLink, commentLink: PublicCommentLink, parts: number): CommentOperation =>
  operationFor(link, commentLink, { key: `${link.id}:tracker:edit:${commentLink.source}`, parts, tells: 'edit', on: 'tracker' });

/** The copy of a deleted comment stays on the tracker; the deletion is reported on the bug if the route says so. */
function deletionOf(link: PublicLink, commentLink: PublicCommentLink): readonly CommentOperation[] {
  if (!commentLink.isStale || commentLink.origin !== 'github' || commentLink.copy === null) return [];
  return [operationFor(link, commentLink, { key: `${link.id}:tracker:deletion:${commentLink.source}`, parts: 1, tells: 'deletion' })];
}

/** The missing parts of a copy or of a report: beyond the first part they are the same. */
function restOf(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const there = partsThere(commentLink, talk.commentLinks);
  return furtherParts(talk.link, commentLink, copyOf(route, talk, commentLink).texts.length).filter(({ part }) => !there.has(part));
}

/** If a body was edited, only the first part of the report is written. An unchanged body is not rendered, because every plan gets here. */
function editOfBody(route: Route, talk: Talk, commentLink: PublicCommentLink): readonly CommentOperation[] {
  const issue = talk.link.github;
  const copyDigest = commentLink.copy?.digest ?? null;
  // On a route to GitHub, an edit is not reported; the body may be restored instead.
  if (issue === null || copyDigest === null || (route.direction === 'to-github' && route.copies === 'restore')) return [];
  if (bodyDigest(issue.body) === copyDigest) return [];
  const report = textsOf(route, talk, commentLink, 'edit');
  return report === null ? [] : [editFor(talk.link, { ...commentLink, source: bodyId, digest: report.digest }, report.texts.length)];
}
