import { otherSide, type Side } from '../model/ids.ts';
import { aboutOf, type CommentLink, type Link } from '../model/link.ts';
import type { CommentOperation } from '../model/operation.ts';

/** Whether some parts of a long text have not been written yet. A deleted part counts as written. */
export function lacksParts(commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  return (
    commentLink.part === 1 &&
    commentLink.parts > 1 &&
    commentLink.state === 'mirrored' &&
    partsThere(commentLink, commentLinks).size < commentLink.parts - 1
  );
}

/** The numbers of the written parts beyond the first, for the text that the other side last received. */
export function partsThere({ origin, source, mirrored }: CommentLink, commentLinks: readonly CommentLink[]): ReadonlySet<number> {
  // A part that was erased when the text became shorter is `skipped`.
  const own = commentLinks.filter((each) => each.part > 1 && each.state !== 'skipped' && each.origin === origin && each.source === source);
  return new Set(own.filter(({ digest }) => origin === 'tracker' || digest === mirrored).map(({ part }) => part));
}

/** Whether the part that an operation is to write has its copy. */
export function isPartThere({ part, digest }: CommentOperation, commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  return partsThere({ ...commentLink, mirrored: digest }, commentLinks).has(part);
}

/** Parts follow the first one; if it was given up, or replaced by a later text, they are no longer wanted. */
export function isPartWanted(operation: CommentOperation, commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  if (commentLink.state !== 'mirrored' || (commentLink.origin === 'github' && commentLink.mirrored !== operation.digest)) return false;
  return !isPartThere(operation, commentLink, commentLinks);
}

/** The parts beyond the first. Their keys contain the digest of their text, so that a later text is a new operation. */
export function furtherParts(link: Link, commentLink: CommentLink, parts: number): readonly CommentOperation[] {
  const key = `${link.id}:${sideOfCopy(commentLink)}:comment:${commentLink.source}:${commentLink.digest}`;
  return Array.from({ length: parts - 1 }, (_, index) => operationFor(link, commentLink, { key, parts, tells: 'copy', part: index + 2 }));
}

export interface Writing {
  readonly key: string;
  /** Number of parts of the text. */
  readonly parts: number;
  readonly tells: CommentOperation['tells'];
  readonly part?: number;
  readonly on?: Side;
}

export function operationFor(
  link: Link,
  commentLink: CommentLink,
  { key, parts, tells, part = 1, on = sideOfCopy(commentLink) }: Writing,
): CommentOperation {
  const place = { key: part === 1 ? key : `${key}:${part}`, link: link.id, about: aboutOf(link, on), commentLink: commentLink.id };
  return { kind: 'comment', on, ...place, digest: commentLink.digest, tells, part, parts };
}

export const sideOfCopy = ({ origin }: CommentLink): Side => otherSide(origin);
