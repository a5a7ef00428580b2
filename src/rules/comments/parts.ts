import type { CommentLink, NewCommentLink } from '../../model/link.ts';
import type { CommentOperation } from '../../model/plan/operation.ts';

/** Whether some parts of a long text have not been written yet. A deleted part counts as written. */
export function lacksParts(commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  return (
    commentLink.part === 1 &&
    commentLink.parts > 1 &&
    commentLink.state === 'mirrored' &&
    writtenParts(commentLink, commentLinks).size < commentLink.parts - 1
  );
}

/** The numbers of the written parts beyond the first, for the text that the other side last received. */
export function writtenParts(
  { origin, source, mirrored }: CommentLink,
  commentLinks: readonly CommentLink[],
): ReadonlySet<number> {
  // A part that was erased when the text became shorter is `skipped`.
  const further = commentLinks.filter(
    (each) => each.part > 1 && each.state !== 'skipped' && each.origin === origin && each.source === source,
  );
  return new Set(further.filter(({ digest }) => origin === 'tracker' || digest === mirrored).map(({ part }) => part));
}

/** Whether the part that an operation is to write has its copy. */
export function isPartWritten(
  { part, digest }: CommentOperation,
  commentLink: CommentLink,
  commentLinks: readonly CommentLink[],
): boolean {
  return writtenParts({ ...commentLink, mirrored: digest }, commentLinks).has(part);
}

/** Parts follow the first one; if it was given up, or replaced by a later text, they are no longer wanted. */
export function isPartWanted(
  operation: CommentOperation,
  commentLink: CommentLink,
  commentLinks: readonly CommentLink[],
): boolean {
  if (
    commentLink.state !== 'mirrored' ||
    (commentLink.origin === 'github' && commentLink.mirrored !== operation.digest)
  )
    return false;
  return !isPartWritten(operation, commentLink, commentLinks);
}

type PartName = Pick<NewCommentLink, 'origin' | 'source' | 'part' | 'digest'>;

/** Whether both name the same part of the same text. */
export const isSamePart = (one: PartName, other: PartName): boolean =>
  one.part === other.part &&
  one.origin === other.origin &&
  one.source === other.source &&
  (one.origin === 'tracker' || one.digest === other.digest);
