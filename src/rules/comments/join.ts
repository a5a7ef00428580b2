import type { Comment } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link, type NewCommentLink } from '../../model/link.ts';
import { type Account, isBy } from '../../model/people.ts';
import { carries } from '../../text/kept-markdown.ts';
import { parseGithubMarker } from '../../text/marker.ts';
import { commentAfter, withCopy } from './life.ts';

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

/**
 * The comment links of an issue that people transferred, with the ids that its comments have at the new place: GitHub
 * does not say whether they keep them.
 * @param own our login; null if it is unknown
 */
export function withIdsThere(
  known: readonly CommentLink[],
  comments: readonly Comment[],
  { instance, own }: { readonly instance: string; readonly own: Account | null },
): readonly CommentLink[] {
  const isThere = (id: number): boolean => id === bodyId || comments.some((comment) => comment.id === id);
  const sources = new Map<number, Comment>();
  for (const { origin, source, author, createdAt } of known) {
    if (origin === 'tracker' || isThere(source) || sources.has(source)) continue;
    const isFree = ({ id }: Comment): boolean => ![...sources.values()].some((taken) => taken.id === id);
    const same = comments.find(
      (comment) => comment.author.login === author.login && comment.createdAt === createdAt && isFree(comment),
    );
    if (same !== undefined) sources.set(source, same);
  }
  const copyOf = ({ source, part }: CommentLink): Comment | undefined =>
    comments.find(({ author, text }) => {
      const marker = own === null || isBy(author, own) ? parseGithubMarker(instance, text) : null;
      return marker?.comment === source && (marker.part?.index ?? 1) === part;
    });
  return known.map((each) => {
    if (each.origin === 'github') {
      const same = sources.get(each.source);
      return same === undefined ? each : { ...each, source: same.id, url: same.url };
    }
    const copy = each.copy === null || isThere(each.copy.id) ? undefined : copyOf(each);
    return copy === undefined ? each : withCopy(each, { id: copy.id });
  });
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
