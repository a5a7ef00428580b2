import type { CommentLink } from '../../model/link.ts';
import { commentAfter } from './life.ts';

/**
 * The changes when one comment of the tracker is not public, or no longer: its text is dropped, and its copies are to
 * be erased.
 */
export function hiddenParts(
  commentLinks: readonly CommentLink[],
  source: number,
  reason: string,
): readonly CommentLink[] {
  return commentLinks.flatMap((commentLink) => {
    if (commentLink.origin !== 'tracker' || commentLink.source !== source) return [];
    const after = commentAfter(commentLink, { kind: 'hidden', reason });
    return after === commentLink ? [] : [after];
  });
}

/** It is copied again. A further part is written again with the first. */
export const withoutCopy = (commentLink: CommentLink): CommentLink =>
  commentAfter(
    commentLink,
    commentLink.part > 1 ? { kind: 'erased', reason: 'it is written again with the first part' } : { kind: 'lost' },
  );
