import type { Side } from '../../model/ids.ts';
import type { Comment } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { Route } from '../../model/route.ts';
import { hasPlainFooter, isNeutralBody, isNeutralTitle } from '../privacy/neutral.ts';
import { hiddenParts, withoutCopy } from './hide.ts';
import { commentAfter } from './life.ts';
import { idOn, type ThreadRows } from './rows.ts';

/**
 * The comment links whose comment a whole thread lacks.
 *
 *   a source on the tracker                     hidden with its parts, because trackers do not delete comments
 *   a copy that was to be erased                loses its copy
 *   a copy on an issue that is withdrawn        likewise: an older state does not know which ones were erased, nor, if
 *                                               it is of the middle of a withdrawal, that there is one
 *   a copy on a tracker that went back          loses its copy, which is written again
 *   any other comment                           gone: it is never created again
 *
 * @param present ids of the comments that exist, whether the thread shows them or not
 */
export function missingComments(
  route: Route,
  link: Pick<Link, 'isWithdrawn' | 'origin' | 'bug' | 'github'>,
  side: Side,
  rows: ThreadRows,
  present: ReadonlySet<number>,
  hasGoneBack = false,
): readonly CommentLink[] {
  const isWithdrawn = link.isWithdrawn || showsWithdrawal(route, link);
  return lackedBy(present, side, rows.stored).flatMap((commentLink): readonly CommentLink[] => {
    const { origin, source, state, copy } = commentLink;
    if (side === 'tracker' && origin === 'tracker')
      return hiddenParts(rows.storedParts(origin, source), source, 'the tracker no longer shows it');
    const isErased = side === 'github' && origin === 'tracker' && (isWithdrawn || isErasedByUs(commentLink));
    if (side === 'tracker' && hasGoneBack) return [commentAfter(commentLink, { kind: 'lost' })];
    if (state === 'withdrawn' || isErased) return [withoutCopy(commentLink)];
    const isCopyLeft = origin === side;
    const isToReport = origin === 'github' && isCopyLeft && copy !== null && reportsDeletions(route);
    return [commentAfter(commentLink, { kind: 'deleted', reason: deletedOn(side), isCopyLeft, isToReport })];
  });
}

/** Whether the issue shows what a withdrawal leaves of it. Who opened an issue may give it any title and body. */
function showsWithdrawal(
  { instance }: Route,
  { origin, bug, github }: Pick<Link, 'origin' | 'bug' | 'github'>,
): boolean {
  if (bug === null || github === null) return false;
  const { title, body, isLocked } = github;
  if (origin === 'tracker' && (isNeutralTitle(title, bug) || isNeutralBody(instance, body, bug))) return true;
  return isLocked === true && hasPlainFooter(instance, body, bug);
}

export const deletedOn = (side: Side): string => `deleted or hidden on ${side === 'github' ? 'GitHub' : 'the tracker'}`;

const reportsDeletions = ({ deletions, direction }: Route): boolean =>
  deletions === 'note' && direction !== 'to-github';

/** The comments that we know and an issue lacks: they were deleted, or the list lags behind. */
export const missingOf = (commentLinks: readonly CommentLink[], comments: readonly Comment[]): readonly CommentLink[] =>
  lackedBy(new Set(comments.map(({ id }) => id)), 'github', commentLinks);

/** The body of an issue is no comment, so no thread lacks it. */
const lackedBy = (
  present: ReadonlySet<number>,
  side: Side,
  commentLinks: readonly CommentLink[],
): readonly CommentLink[] =>
  commentLinks.filter((commentLink) => {
    const id = commentLink.state === 'gone' ? null : idOn(side, commentLink);
    return id !== null && id !== bodyId && !present.has(id);
  });

/**
 * The number of comments that an issue should show, as far as we know; a different number means that comments were
 * deleted or missed.
 */
export const expectedCommentCount = (commentLinks: readonly CommentLink[]): number => countedOf(commentLinks).length;

/** The comments that an issue should count. */
export const countedOf = (commentLinks: readonly CommentLink[]): readonly CommentLink[] =>
  commentLinks.filter((commentLink) => {
    const id = idOn('github', commentLink);
    return id !== null && id !== bodyId && !(commentLink.state === 'gone' && commentLink.origin === 'github');
  });

/**
 * Whether a missing copy was erased by us: we had begun to erase it, the answer was lost, and meanwhile the original
 * became public again.
 */
export const isErasedByUs = ({ origin, state, mirrored, copy }: CommentLink): boolean =>
  origin === 'tracker' && state === 'mirrored' && mirrored === null && copy !== null && copy.id !== bodyId;
