import type { Issue } from '../model/item.ts';
import { bodyId, type CommentCopy, type CommentLink } from '../model/link.ts';
import { isLogin } from '../people/people.ts';
import { hasPointerUnder, saysNothing, saysWhoFiled } from '../privacy/neutral.ts';
import { commentAfter, withCopy } from './life.ts';

/** An issue's body as it was read, without the lines that the bridge added below it. */
export interface SeenBody {
  readonly text: string;
  readonly digest: string;
  readonly parts: number;
}

/**
 * The description that a body with our marker is the copy of, paired with it; null if there is none yet. A body without any text of
 * the description is ours, and is rewritten once the text may be shown; a body with the text of a hidden description must be
 * withdrawn.
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

/** A body that we emptied, if the answer to our request was lost: it is no edit by people. Null if that does not apply, or is known. */
export function emptied(commentLink: CommentLink, text: string, digest: string): CommentLink | null {
  const { state, copy, wrote } = commentLink;
  if (state !== 'mirrored' || copy?.digest === digest || wrote === digest || !saysNothing(text)) return null;
  return { ...withCopy(commentLink, { digest, isEdited: false }), wrote: digest, isStale: true };
}

/**
 * Whether people wrote a body with our marker, judged by the issue alone, as after a lost database. All signs must agree: another
 * user opened the issue, it does not begin like our copies, and our line is below it, as it is below texts that are not ours. In
 * doubt it counts as a copy, so that nothing of the tracker stays: if our account is unknown, or if people use it too.
 */
export function isPeoplesBody({ author, body }: Issue, own: string | null): boolean {
  return own !== null && !isLogin(author.login, own) && !saysWhoFiled(body) && hasPointerUnder(body);
}
