import type { Comment } from '../../model/item.ts';
import type { CommentCopy, CommentLink } from '../../model/link.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { githubLagMs } from '../limits/backoff.ts';

export const digestOfComment = (comment: Comment): string => digestOf(canonicalText(comment.text));

/** The copy that a comment is: with the text that our account wrote, and whether people have written over it since. */
export function copyIn(comment: Comment): CommentCopy {
  const { id, text, firstText = text } = comment;
  const digest = digestOfComment({ ...comment, text: firstText });
  return { id, digest, isEdited: digest !== digestOfComment(comment), minimize: null };
}

/** The stamp of a version on GitHub. On trackers, a comment has only that of its creation. */
export const versionOf = ({ side, changedAt }: Comment): Pick<CommentLink, 'changedAt'> =>
  side === 'github' ? { changedAt } : {};

/** Whether a comment was written again since it was last seen, even if its text is the same again. */
export const isLater = ({ changedAt }: CommentLink, comment: Comment): boolean =>
  changedAt !== undefined && comment.changedAt > changedAt;

/**
 * Whether a replica of GitHub shows a version of a comment from before the one that was seen last; taken for an edit,
 * the old text would be reported, and then the new one once more. If a version stays older, an administrator has reset
 * it, and it counts.
 */
export const isOutdated = ({ changedAt = 0 }: CommentLink, comment: Comment, readAt: number): boolean =>
  comment.side === 'github' && comment.changedAt < changedAt && readAt < changedAt + githubLagMs;
