import type { AttachmentLink } from '../attachment.ts';
import type { BugId, IssueNumber } from '../ids.ts';
import type { Bug } from '../item.ts';
import type { CommentLink, Link } from '../link.ts';
import type { PlanInput, TextInput } from './plan-input.ts';

/**
 * A bug's dependencies, on both sides: `depends_on` of the tracker and `blocked_by` of GitHub. A relation is comparable
 * only if both sides can name its target, so bugs without an issue in the same repository take no part until they have
 * one; hidden bugs never do. The elements are compared with the base, so a target that gets its issue later travels
 * like one that was just added.
 */
export interface Neighbour {
  readonly bug: BugId;
  readonly issue: IssueNumber;
  /** The database id of the issue. */
  readonly issueId: number;
  readonly issueUrl: string;
  /** False if it is no longer mirrored, for instance a bug that became private. */
  readonly isShown: boolean;
}

/** A public target of references in texts: a bug, its issue, and its known comments and files. */
export interface Target {
  readonly bug: BugId | null;
  readonly bugUrl: string | null;
  readonly repo: string;
  readonly issue: IssueNumber | null;
  readonly issueUrl: string | null;
  readonly comments: readonly TargetComment[];
  readonly files: readonly TargetFile[];
}

export interface TargetComment {
  /** Its number within the bug. */
  readonly count: number;
  readonly bugUrl: string;
  readonly issueUrl: string | null;
}

/** A public attachment. */
export interface TargetFile {
  readonly id: number;
  /** Its page on the tracker, and the address of its copy, if there is one. */
  readonly url: string;
  readonly copyUrl: string | null;
}

/**
 * Only `rules/privacy/gate.ts` makes values of such a type; whatever plans a text, a field or a file for GitHub takes
 * nothing else.
 */
declare const passed: unique symbol;

export type Passed<T> = T & { readonly [passed]: true };

/** The public part of a bug. */
export type PublicBug = Passed<Bug>;

/** A comment that may cross: a public one of the tracker, or one of GitHub. */
export type PublicCommentLink = Passed<CommentLink>;

/** A public file of the tracker, or a file of an issue. */
export type PublicFile = Passed<AttachmentLink>;

/** A target that texts may link to. */
export type PublicTarget = Passed<Target>;

/** The other end of a relation; it knows whether it may be named. */
export type PublicNeighbour = Passed<Neighbour>;

/** A link whose bug is public; a link without a bug passes unchanged. */
export type PublicLink = Link & { readonly tracker: PublicBug | null };

export type Public<Input extends TextInput> = Omit<Input, 'link' | 'commentLinks' | 'attachmentLinks'> & {
  readonly link: PublicLink;
  readonly commentLinks: readonly PublicCommentLink[];
  readonly attachmentLinks: readonly PublicFile[];
};

export type PublicPlanInput = Public<PlanInput>;
