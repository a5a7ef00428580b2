import type { AttachmentLinkId, CommentLinkId, LinkId } from './ids.ts';
import type { IssuePatch } from './operation.ts';

/**
 * One thing that has to go from GitHub, or comes back. Each may be done again without harm, and each follows from what is remembered and
 * seen alone: so nothing about them is kept in the outbox, and a lost answer or a crash only means that it is done once more.
 *
 *   issue     the neutral line instead of title and text, no labels, milestone and assignees of ours, closed
 *   text      the neutral line instead of a description that is not public, on a bug that is
 *   relation  one issue less that blocks this one
 *   comment   one of our copies is erased
 *   file      one copy is taken off the shelf
 *   lock      the issue is locked
 *   open      everybody may see the bug again: the issue is unlocked, and mirrored from the tracker from now on
 */
export type Withdrawal = { readonly link: LinkId; readonly about: string } & (
  | { readonly what: 'issue' | 'relation'; readonly patch: IssuePatch }
  | { readonly what: 'text'; readonly commentLink: CommentLinkId; readonly patch: IssuePatch }
  | { readonly what: 'comment'; readonly commentLink: CommentLinkId; readonly comment: number }
  | { readonly what: 'file'; readonly attachmentLink: AttachmentLinkId; readonly path: string }
  | { readonly what: 'lock' }
  | { readonly what: 'open'; readonly patch: IssuePatch | null }
);

/** What a withdrawal came to, for people. */
export interface Withdrawn {
  readonly about: string;
  /** Why it is not public; null when it is public again. */
  readonly why: string | null;
  /** How many of each were taken away. */
  readonly comments: number;
  readonly files: number;
  readonly isIssue: boolean;
  /** Where the contents of the files can still be found, in words; null when nowhere. */
  readonly left: string | null;
  /** What stands in the way of the rest, which is tried again in every cycle; null when nothing is left. */
  readonly trouble: string | null;
}
