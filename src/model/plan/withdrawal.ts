import type { AttachmentLinkId, CommentLinkId, LinkId } from '../ids.ts';
import type { IssuePatch } from './draft.ts';

/**
 * One write that withdraws content from GitHub, or restores it. Each can be repeated without harm, and each follows
 * from the state and the last reads alone: so none is kept in the outbox, and a lost answer or a crash only means that
 * it is done once more.
 *
 *   issue     puts the neutral line in place of title and text, removes our labels, milestone and assignees, and closes
 *             the issue
 *   text      puts the neutral line in place of the description, if that is not public although the bug is
 *   relation  removes one issue that blocks this one
 *   comment   erases one of our copies
 *   file      removes one copy from the attachment store
 *   lock      locks the issue
 *   open      unlocks the issue because the bug is public again; from now on the tracker is mirrored to it
 */
export type Withdrawal = { readonly link: LinkId; readonly about: string } & (
  | { readonly what: 'issue' | 'relation'; readonly patch: IssuePatch }
  | { readonly what: 'text'; readonly commentLink: CommentLinkId | null; readonly patch: IssuePatch }
  | { readonly what: 'comment'; readonly commentLink: CommentLinkId; readonly comment: number }
  | { readonly what: 'file'; readonly attachmentLink: AttachmentLinkId; readonly path: string }
  | { readonly what: 'lock' }
  | { readonly what: 'open'; readonly patch: IssuePatch | null }
);

/** The result of a withdrawal, for people. */
export interface Withdrawn {
  readonly about: string;
  /** Why it is not public; null when it is public again. */
  readonly why: string | null;
  /** How many of each were removed. */
  readonly comments: number;
  readonly files: number;
  readonly isIssue: boolean;
  /** Whether the description alone was withdrawn. */
  readonly isText: boolean;
  /** Whether the issue was opened again, because its bug is public. */
  readonly isBack: boolean;
  /** Where the contents of the files can still be found, as text; null when nowhere. */
  readonly left: string | null;
  /** Why the rest failed, which every cycle tries again; null when nothing is left. */
  readonly trouble: string | null;
}
