/**
 * Branded numbers, so that a bug's id cannot be passed where an issue's number is meant.
 * Only the functions below may brand.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** A bug's id, unique within the tracker. */
export type BugId = Branded<'BugId'>;
/** An issue's number, unique within its repository. */
export type IssueNumber = Branded<'IssueNumber'>;
/** The row id of a link in the state database. */
export type LinkId = Branded<'LinkId'>;
/** The row id of a comment link (one comment and its copy) in the state database. */
export type CommentLinkId = Branded<'CommentLinkId'>;
/** The row id of an attachment link (one file and its copy) in the state database. */
export type AttachmentLinkId = Branded<'AttachmentLinkId'>;

export const bugId = (id: number): BugId => id as BugId;
export const issueNumber = (number: number): IssueNumber => number as IssueNumber;
export const linkId = (id: number): LinkId => id as LinkId;
export const commentLinkId = (id: number): CommentLinkId => id as CommentLinkId;
export const attachmentLinkId = (id: number): AttachmentLinkId => id as AttachmentLinkId;

/** One of the two systems that the bridge keeps in step. */
export type Side = 'tracker' | 'github';

export const sides = ['tracker', 'github'] as const satisfies readonly Side[];

export const otherSide = (side: Side): Side => (side === 'tracker' ? 'github' : 'tracker');
