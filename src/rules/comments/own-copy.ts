import type { Issue } from '../../model/item.ts';
import { bodyId, type CommentLink } from '../../model/link.ts';
import type { Route } from '../../model/route.ts';
import { bodyDigest } from './body.ts';
import { withCopy } from './life.ts';

/** Whether the copy of a tracker's comment is not what we wrote, as far as the state knows, and would be left to people. */
export function isCopyLeft(route: Route, { origin, state, copy }: CommentLink, issue: Issue | null): boolean {
  if (origin !== 'tracker' || state !== 'mirrored' || copy === null || copy.digest === null || issue === null)
    return false;
  if (copy.id === bodyId) return bodyDigest(issue.body) !== copy.digest;
  return copy.isEdited && route.copies === 'leave';
}

/** The copy as the bridge wrote it, where the state is older than that. */
export const ownCopy = (row: CommentLink, digest: string): CommentLink => ({
  ...withCopy(row, { digest, isEdited: false }),
  wrote: digest,
  isStale: true,
});
