import { commentAfter } from '../comments/life.ts';
import { bodyId, type CommentLink } from '../model/link.ts';

/** What changes when one comment of the tracker is not public (any more): its text is forgotten, and its copies are to go. */
export function hidden(commentLinks: readonly CommentLink[], source: number, reason: string): readonly CommentLink[] {
  return commentLinks.flatMap((commentLink) => {
    if (commentLink.origin !== 'tracker' || commentLink.source !== source) return [];
    const after = commentAfter(commentLink, { kind: 'hidden', reason });
    return after === commentLink ? [] : [after];
  });
}

/** Whether a copy that is missing was erased by us: that was begun, and nobody heard how it ended, before everybody saw the original again. */
export const isErasedByUs = ({ origin, state, mirrored, copy }: CommentLink): boolean =>
  origin === 'tracker' && state === 'mirrored' && mirrored === null && copy !== null && copy.id !== bodyId;

/** It is copied anew. A further part is made again with the first. */
export const withoutCopy = (commentLink: CommentLink): CommentLink =>
  commentAfter(commentLink, commentLink.part > 1 ? { kind: 'erased', reason: 'it is made again with the first part' } : { kind: 'lost' });
