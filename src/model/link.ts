import type { BugId, CommentLinkId, IssueNumber, LinkId, Side } from './ids.ts';
import type { Bug, Fields, Issue, MinimizeReason, Person } from './item.ts';
import type { BugVisibility } from './replica.ts';

/**
 * What both sides last agreed on, as each side showed it at that moment. Two sets of values, because servers
 * trim and re-case: a side has changed when it differs from its own set, never from the other's.
 */
export interface Base {
  readonly tracker: Fields;
  readonly github: Fields;
}

/**
 *   live       mirrored
 *   frozen     kept, but nothing is written on either side (hidden, transferred, left the route); may thaw
 *   tombstone  one side was deleted; never written again, never recreated
 */
export type LinkState = 'live' | 'frozen' | 'tombstone';

/** How urgently a link wants to be planned: changes made today go before the backfill. */
export type Urgency = 'none' | 'backfill' | 'live';

/** How a link stands. Why it rests stands with the states that need a reason. */
export type LinkStanding =
  | { readonly state: 'live'; readonly reason: null; readonly frozenBy: null }
  /** `frozenBy` is the side whose item vanished; the link thaws when that side shows it again. */
  | { readonly state: 'frozen'; readonly reason: string; readonly frozenBy: Side }
  | { readonly state: 'tombstone'; readonly reason: string; readonly frozenBy: null };

interface LinkFacts {
  readonly route: string;
  /** `owner/name`; an issue's number is unique within it. */
  readonly repo: string;
  /** The side on which it began. */
  readonly origin: Side;
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  readonly base: Base | null;
  /** The last observation of each side. */
  readonly tracker: Bug | null;
  readonly github: Issue | null;
  readonly urgency: Urgency;
  /** When the tracker's comments were last read, by the tracker's clock; null before the first time. */
  readonly threadReadAt: number | null;
  /**
   * While the link has only one end: the number of the other end that this one names (a bug its issue in
   * see_also, an issue its bug in the marker). Null when it names none, or once the link is whole.
   */
  readonly claim: number | null;
  /** Which ends name the other; `tracker` means that the bug shows the issue's URL. */
  readonly pointed: Readonly<Record<Side, boolean>>;
  /** What a reader without credentials was shown of the bug; null before anybody asked, or where the route asks for no proof. */
  readonly visibility: BugVisibility | null;
  /** True from the moment in which the issue shows the neutral line instead of the bug, until the bug's own text is back. */
  readonly isWithdrawn: boolean;
}

export type NewLink = LinkFacts & LinkStanding;

/** A bug and an issue that are the same thing. Until the counterpart exists, one of the two refs is null. */
export type Link = NewLink & { readonly id: LinkId };

/**
 *   pending   seen, not yet mirrored
 *   mirrored  has its copy; of a new bug's description it is known once its thread was read
 *   skipped   is not mirrored, for a reason
 *   gone      deleted on one side; never recreated
 *   withdrawn not public (any more): while it has a copy, that is to be erased; shown again, it waits to be mirrored
 */
export type CommentState = 'pending' | 'mirrored' | 'skipped' | 'gone' | 'withdrawn';

/** Where an issue's body takes part in a thread: it has no comment id. */
export const bodyId = 0;

/** A comment's copy on the other side. */
export interface CommentCopy {
  /** Its comment id; `bodyId` when the copy is an issue's body. */
  readonly id: number;
  /** Digest of the copy as the server answered our last write of it, or of the last report about an issue's body; null when unknown. */
  readonly digest: string | null;
  /** True while the copy shows something else than we wrote: it was changed by hand. */
  readonly isEdited: boolean;
  /** How we last folded it; null for not at all. If people fold or unfold it by hand, it stays so. */
  readonly minimize: MinimizeReason | null;
}

/** How a comment stands. What is not to be mirrored has a reason; what waits or is skipped has no copy. */
export type CommentStanding =
  | { readonly state: 'pending'; readonly reason: null; readonly copy: null }
  | { readonly state: 'mirrored'; readonly reason: null; readonly copy: CommentCopy | null }
  | { readonly state: 'skipped'; readonly reason: string; readonly copy: null }
  | { readonly state: 'gone' | 'withdrawn'; readonly reason: string; readonly copy: CommentCopy | null };

/** On which side a person wrote it, and what only comments of a tracker have. */
export type CommentOrigin =
  | {
      readonly origin: 'tracker';
      /** The text is Markdown; absent for plain text. */
      readonly isMarkdown?: true;
      /** Digest of the text as a reader without credentials was shown it; another text has to be proved before it is published. */
      readonly checkedDigest: string | null;
      /** The attachment that the tracker's own words at the beginning of the comment name; null for any other comment. */
      readonly attachment: number | null;
      /** Why its copies are to be folded away, by the tags of the original; null when they are not. */
      readonly minimize: MinimizeReason | null;
    }
  | {
      readonly origin: 'github';
      readonly isMarkdown?: never;
      readonly checkedDigest: null;
      readonly attachment: null;
      readonly minimize: null;
    };

interface CommentFacts {
  readonly link: LinkId;
  /** Its comment id on the side of origin; `bodyId` for an issue's body. */
  readonly source: number;
  /** Position within the bug; null for what began on GitHub. */
  readonly count: number | null;
  readonly author: Person;
  readonly url: string;
  /** Null once it is mirrored and no longer needed. */
  readonly text: string | null;
  /** Digest of the text as last seen on the side of origin. */
  readonly digest: string;
  /** Digest of the text that the other side last got; differs from `digest` after an edit. */
  readonly mirrored: string | null;
  /**
   * A text that is too long for one comment has several copies. The first is kept here; each further one has a comment link of its own with
   * the same source, whose `part` counts from 2 and whose `digest` is that of the text it is a part of.
   */
  readonly part: number;
  /** How many parts the text that the other side last got has; 1 when that is not known yet. */
  readonly parts: number;
  /**
   * The text that the other side last got, while a later one waits to be reported; what the body of an issue said of a description before
   * somebody edited it; what a copy on the tracker says, while the source that it was made from is not known. Null when there is nothing to compare.
   */
  readonly before: string | null;
  /** Digest of the copy as we sent it last, also before its answer is heard; null when that is not known, as after a lost answer. */
  readonly wrote: string | null;
  /** True when something that the copy shows may have changed, or its source was deleted: the next planning compares, and puts it right. */
  readonly isStale: boolean;
  /** What a comment of the bridge's own explains; only such have it. */
  readonly remark?: string;
  readonly createdAt: number;
}

export type NewCommentLink = CommentFacts & CommentOrigin & CommentStanding;

/** One comment and its copy on the other side. Descriptions and issue bodies are comments too. */
export type CommentLink = NewCommentLink & { readonly id: CommentLinkId };

/** A comment that people wrote on the tracker. */
export type TrackerCommentLink = Extract<CommentLink, { readonly origin: 'tracker' }>;

/** Compares comment links by when people wrote them; what came in one second keeps the order of its side. */
export const byTime = (one: Pick<CommentLink, 'createdAt' | 'source'>, other: Pick<CommentLink, 'createdAt' | 'source'>): number =>
  one.createdAt - other.createdAt || one.source - other.source;
