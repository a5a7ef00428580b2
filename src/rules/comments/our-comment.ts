/** What our own comments on a side say about the texts that they copy or report about. */

import { otherSide } from '../../model/ids.ts';
import type { Comment } from '../../model/item.ts';
import { bodyId, type CommentCopy, type CommentLink, type Link, type NewCommentLink } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import type { Route } from '../../model/route.ts';
import { carries } from '../../text/kept-markdown.ts';
import { commentAfter, newCommentLink, originOn, withCopy } from './life.ts';
import { deletedOn } from './missing.ts';
import { type Provenance, provenanceOf } from './provenance.ts';
import { idOn } from './rows.ts';
import { copyIn, versionOf } from './version.ts';

type Copied = Extract<Provenance, { readonly kind: 'copy' }>;
type Reported = Extract<Provenance, { readonly kind: 'report' }>;

/** The database lost the source, but its copy exists: the comment link is rebuilt from the copy. */
export function recovered(link: Link, comment: Comment, ours: Copied): NewCommentLink {
  const { author, createdAt } = comment;
  const { digest, part, parts, source, url } = ours;
  const origin = originOn(otherSide(comment.side));
  const facts = { link: link.id, source, count: null, author, url, createdAt, text: null, digest };
  const copied = commentAfter(newCommentLink({ ...origin, ...facts }, null), {
    kind: 'copied',
    copy: copyIn(comment),
    mirrored: digest,
    parts,
    isStale: false,
  });
  // The text itself is stored with the first part.
  return part === 1 ? { ...copied, before: ours.carried } : { ...copied, part };
}

/**
 * The source of a copy that was in doubt, or forgotten. It keeps a copy that it has already, unless the thread lacks
 * that one: then this comment replaced it after the state was backed up.
 */
export function paired(row: NewCommentLink, comment: Comment, ours: Copied, isReplaced: boolean): NewCommentLink {
  if (row.state === 'gone' || (row.copy !== null && !isReplaced)) return row;
  const source = isReplaced ? commentAfter(row, { kind: 'lost' }) : row;
  const { mirrored: was, parts: known } = source;
  const copy = foundCopy(source, comment);
  // A copy in doubt whose original is no longer public becomes known now, so that it can be erased.
  if (source.state === 'withdrawn')
    return commentAfter(source, { kind: 'copied', copy, mirrored: was, parts: known, isStale: false });
  const mirrored = was ?? (isCurrent(source, ours) ? source.digest : ours.digest);
  const parts = Math.max(known, ours.parts);
  // The copy is compared with the text that would be written now: that takes no reading, as the text is present.
  const isStale = source.origin === 'tracker' && (source.text !== null || isReplaced);
  const found = commentAfter(source, { kind: 'copied', copy, mirrored, parts, isStale });
  return copy.isEdited ? { ...found, ...versionOf(comment) } : found;
}

/** The copy, which is edited if it was written again since and does not show the text that was sent. */
function foundCopy({ wrote }: NewCommentLink, comment: Comment): CommentCopy {
  const copy = copyIn(comment);
  const isAsSent = wrote === null || wrote === copy.digest || comment.changedAt === comment.createdAt;
  return copy.isEdited || isAsSent ? copy : { ...copy, digest: wrote, isEdited: true };
}

/** Whether a copy has the current text of its source; on GitHub this is assumed. */
function isCurrent({ text, digest: current, origin }: NewCommentLink, { carried, digest }: Copied): boolean {
  return origin === 'tracker' || digest === current || (carried !== null && carries(carried, text ?? ''));
}

/** The source of an edit that was reported. */
export function reported(source: NewCommentLink, { revision, parts }: Reported): NewCommentLink {
  if (source.state === 'gone') return source;
  return source.copy?.id === bodyId
    ? { ...withCopy(source, { digest: revision, isEdited: true }), before: null }
    : { ...source, mirrored: revision, parts, before: null };
}

/** The source of a deletion that was reported. */
export const deleted = (source: NewCommentLink): NewCommentLink =>
  commentAfter(source, { kind: 'deleted', reason: deletedOn('github'), isCopyLeft: true, isToReport: false });

/**
 * A part that the tracker had lost, and that was written again; the process may have died before it heard so. On
 * GitHub, an older state may have erased it: whether it is still wanted is asked anew.
 * @param parts the comment links of the same text
 */
export function restored(
  lost: CommentLink,
  comment: Comment,
  { digest, parts: count }: Copied,
  parts: readonly CommentLink[],
): readonly CommentLink[] {
  const copy = copyIn(comment);
  const found = commentAfter(lost, { kind: 'copied', copy, mirrored: digest, parts: count, isStale: false });
  const first = comment.side === 'github' ? parts.find(({ part }) => part === 1) : undefined;
  return first === undefined ? [found] : [found, { ...first, isStale: true }];
}

/**
 * What is known of the thread of a tracker that went back: it lacks comments, and gives their numbers again.
 * @returns the comment links that change: a comment of others with the number of our copy is none, and another one is
 *   not what had its number before. If a report of ours is missing, what our copies say counts, and edits are told
 *   again
 * @param comments all of the bug
 */
export function goneBack(
  route: Route,
  link: Link,
  commentLinks: readonly CommentLink[],
  comments: readonly Comment[],
  own: Account | null,
): readonly CommentLink[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const lacksReport = commentLinks.some(
    ({ origin, state, source }) => origin === 'tracker' && state === 'skipped' && !byId.has(source),
  );
  return commentLinks.flatMap((commentLink): readonly CommentLink[] => {
    const comment = byId.get(idOn('tracker', commentLink) ?? bodyId);
    if (comment === undefined || comment.count === 0) return [];
    if (commentLink.origin === 'tracker')
      return comment.createdAt === commentLink.createdAt ? [] : [{ ...commentLink, source: -commentLink.source }];
    if (own !== null && !isBy(comment.author, own)) return [commentAfter(commentLink, { kind: 'lost' })];
    return lacksReport ? [asTold(route, link, commentLink, comment, comments)] : [];
  });
}

function asTold(route: Route, link: Link, row: CommentLink, copy: Comment, comments: readonly Comment[]): CommentLink {
  const ours = provenanceOf(route, link, copy);
  if (row.state !== 'mirrored' || ours?.kind !== 'copy' || ours.part > 1) return row;
  let told = paired(row, copy, ours, true);
  for (const each of comments) {
    const report = provenanceOf(route, link, each);
    if (report?.kind === 'report' && report.source === row.source) told = reported(told, report);
  }
  return { ...told, id: row.id };
}
