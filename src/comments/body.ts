import type { Issue } from '../model/item.ts';
import { bodyId, type CommentCopy, type CommentLink } from '../model/link.ts';
import { isLogin } from '../people/people.ts';
import { hasPointerUnder, saysNothing, saysWhoFiled } from '../privacy/neutral.ts';
import { commentAfter, withCopy } from './life.ts';

/** The body of an issue as a reading shows it, without what the bridge put under it. */
export interface SeenBody {
  readonly text: string;
  readonly digest: string;
  readonly parts: number;
}

/**
 * The description whose copy a body with our marker is, paired with it; null when there is none yet. A body that holds nothing of a text
 * is our own, and is put right when the text may be shown; one that holds the text of what is hidden by now has to be withdrawn.
 */
export function pairedBody(commentLinks: readonly CommentLink[], { text, digest, parts }: SeenBody): CommentLink | null {
  const ofBug = commentLinks.filter(({ origin, count, part }) => origin === 'tracker' && count === 0 && part === 1);
  const description = ofBug.find(({ state }) => state === 'pending');
  const wrote = saysNothing(text) ? digest : null;
  const copy: CommentCopy = { id: bodyId, digest, isEdited: false, minimize: null };
  const pair = (commentLink: CommentLink): CommentLink =>
    commentAfter(commentLink, { kind: 'copied', copy, parts, wrote, mirrored: commentLink.digest, isStale: true });
  if (description !== undefined) return pair(description);
  const hidden = ofBug.find(({ state, copy }) => state === 'withdrawn' && copy === null);
  return hidden === undefined || wrote !== null ? null : pair(hidden);
}

/** A body that we emptied and whose answer we did not hear is no edit of people's. Null when it is not so, or known. */
export function emptied(commentLink: CommentLink, text: string, digest: string): CommentLink | null {
  const { state, copy, wrote } = commentLink;
  if (state !== 'mirrored' || copy?.digest === digest || wrote === digest || !saysNothing(text)) return null;
  return { ...withCopy(commentLink, { digest, isEdited: false }), wrote: digest, isStale: true };
}

/**
 * Whether people wrote a body with our marker, by the issue alone, as after a lost database. All has to say so: somebody else opened the issue, it
 * does not begin as our copies do, and our line stands under it as under what is not ours. What is in doubt counts as a copy, so that nothing of
 * the tracker stays: where nobody knows our account, and where people use it too.
 */
export function isPeoplesBody({ author, body }: Issue, own: string | null): boolean {
  return own !== null && !isLogin(author.login, own) && !saysWhoFiled(body) && hasPointerUnder(body);
}
