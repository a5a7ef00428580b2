import type { CommentLink, Link, NewCommentLink } from '../../model/link.ts';
import { carries } from '../../text/kept-markdown.ts';
import { commentAfter } from './life.ts';

/** The comment links of both; two that each have one end of the same pair are joined. */
export function joinedCommentLinks(
  keep: readonly CommentLink[],
  absorb: readonly CommentLink[],
  link: Link,
): { save: readonly CommentLink[]; add: readonly NewCommentLink[] } {
  const save: CommentLink[] = [];
  const add: NewCommentLink[] = [];
  for (const commentLink of absorb) {
    const twin = keep.find((each) => isSame(each, commentLink));
    if (twin) save.push(pairOf(twin, commentLink));
    else {
      const { id: _id, ...rest } = commentLink;
      add.push({ ...rest, link: link.id });
    }
  }
  return { save, add };
}

const isSame = (one: CommentLink, other: CommentLink): boolean =>
  one.origin === other.origin &&
  one.source === other.source &&
  one.part === other.part &&
  (one.part === 1 || one.digest === other.digest);

/**
 * One of the two has seen the original, the other its copy: text and digest come from the first, the pairing from the
 * second.
 */
function pairOf(one: CommentLink, other: CommentLink): CommentLink {
  const copied = one.copy !== null ? one : other;
  const original = copied === one ? other : one;
  if (copied.copy === null) return one;
  const isCarried = copied.before !== null && original.text !== null && carries(copied.before, original.text);
  const mirrored = copied.mirrored === '' || isCarried ? original.digest : copied.mirrored;
  const { copy, parts, wrote } = copied;
  const isStale = original.origin === 'tracker' && original.text !== null;
  const paired = commentAfter(
    { ...original, id: one.id, link: one.link },
    { kind: 'copied', copy, mirrored, parts, wrote, isStale },
  );
  const { state, reason } = copied;
  if (state === 'gone') return commentAfter(paired, { kind: 'deleted', reason, isCopyLeft: true, isToReport: isStale });
  return state === 'withdrawn' ? commentAfter(paired, { kind: 'hidden', reason }) : paired;
}
