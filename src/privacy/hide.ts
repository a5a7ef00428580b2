import { bodyId, type CommentLink } from '../model/link.ts';

/** The rows of one comment of the tracker that is not for other eyes (any more): its text is forgotten, and its copies are to go. */
export function hidden(commentLinks: readonly CommentLink[], source: number, reason: string): readonly CommentLink[] {
  const rows = commentLinks.filter(
    (commentLink) => commentLink.origin === 'tracker' && commentLink.source === source && hidable.includes(commentLink.state),
  );
  return rows.map((commentLink) => ({
    ...commentLink,
    state: 'withdrawn',
    reason,
    text: null,
    before: null,
    proven: null,
    isStale: false,
  }));
}

const hidable: readonly CommentLink['state'][] = ['pending', 'mirrored'];

/** Everybody may see it again: it is copied anew, or put back into the copy that still stands. */
export const shownAgain = (known: CommentLink, text: string, digest: string): CommentLink => {
  const state = known.copy === null ? 'pending' : 'mirrored';
  return { ...known, state, reason: null, text, digest, proven: null, isStale: known.copy !== null };
};

/** Whether a copy that is missing was erased by us: that was begun, and nobody heard how it ended, before everybody saw the original again. */
export const isErasedByUs = ({ origin, state, mirrored, copy }: CommentLink): boolean =>
  origin === 'tracker' && state === 'mirrored' && mirrored === null && copy !== null && copy !== bodyId;

/** What a comment link remembers of its copy, when there is none. */
export const noCopy = { copy: null, copyDigest: null, wrote: null, copyFold: null } as const;

/** It is copied anew. A further part is made again with the first. */
export const withoutCopy = (commentLink: CommentLink): CommentLink => ({
  ...commentLink,
  state: commentLink.part > 1 ? 'skipped' : 'pending',
  ...noCopy,
  isEdited: false,
  isStale: false,
});
