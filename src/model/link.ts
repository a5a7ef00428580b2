import type { BugVisibility } from './anonymous-reader.ts';
import type { BugId, CommentLinkId, IssueNumber, LinkId, Side } from './ids.ts';
import type { Bug, FieldName, Fields, Issue, MinimizeReason, Person } from './item.ts';

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

/** How urgently a link has to be planned: new changes go before the backfill. */
export type Urgency = 'none' | 'backfill' | 'live';

/** The state of a link. The states in which it is not mirrored carry a reason. */
export type LinkStatus =
  | { readonly state: 'live'; readonly reason: null; readonly frozenBy: null }
  /** `frozenBy` is the side whose item vanished; the link thaws when that side shows it again. */
  | { readonly state: 'frozen'; readonly reason: string; readonly frozenBy: Side }
  | { readonly state: 'tombstone'; readonly reason: string; readonly frozenBy: null };

interface LinkFacts {
  readonly route: string;
  /** `owner/name`; an issue's number is unique within it. */
  readonly repo: string;
  /** The side on which the item was created. */
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
   * While the link has only one end: the number of the other end that this one names (a bug names its issue in see_also
   * or its description, an issue its bug in the marker). Whether that pairs them depends on who wrote it. Null when it
   * names none, or once the link has both ends.
   */
  readonly claim: number | null;
  /** Which ends name the other; `tracker` means that the bug shows the issue's URL. */
  readonly pointed: Readonly<Record<Side, boolean>>;
  /**
   * What the anonymous reader saw of the bug; null before the first check, or if the route does not check visibility.
   */
  readonly visibility: BugVisibility | null;
  /** True while the issue shows the neutral line instead of the bug's own text. */
  readonly isWithdrawn: boolean;
  /**
   * The product that its bug moved to, which its route does not take: whatever people wrote on the issue is on the bug,
   * and another route may take the bug. Once one did, the link keeps the old issue, and names the bug in `claim`. Null
   * while the bug is of the route's product.
   */
  readonly movedTo: string | null;
  /**
   * The product of a bug whose issue people transferred into the repository of this route, which takes another product:
   * as long as the bug stays in that one, the pair stays with the issue. Null for any other link.
   */
  readonly takenFrom: string | null;
  /** Where people transferred its issue from: the thread of the bug may still name that. */
  readonly formerly: readonly FormerPlace[];
}

export interface FormerPlace {
  /** The address that the issue had. */
  readonly url: string;
  /** The ids that its comments had there, with those that they have now, as far as they differ. */
  readonly comments: Readonly<Record<number, number>>;
}

export type NewLink = LinkFacts & LinkStatus;

/**
 * A bug and the issue that mirrors it, or the other way round. Until the counterpart exists, one of the two numbers is
 * null.
 */
export type Link = NewLink & { readonly id: LinkId };

/**
 *   pending   seen, not yet mirrored
 *   mirrored  has its copy; the copy's id in a new bug's description is known once the thread was read
 *   skipped   is not mirrored, for a reason
 *   gone      deleted on one side; never recreated
 *   withdrawn not public, or no longer: its copy has to be erased; once visible again, it waits to be mirrored
 */
export type CommentState = 'pending' | 'mirrored' | 'skipped' | 'gone' | 'withdrawn';

/** Stands in for the comment id of an issue's body, which has none. */
export const bodyId = 0;

/** Whether another route has taken the bug: the link keeps only the old issue, which says where the bug goes on. */
export const isFormer = ({ bug, claim, movedTo, state }: Link): boolean =>
  state === 'frozen' && bug === null && claim !== null && movedTo !== null;

/** The bug whose content the issue shows: its own, or the one that moved away. */
export const shownBug = (link: Link): number | null => (isFormer(link) ? link.claim : link.bug);

/** A comment's copy on the other side. */
export interface CommentCopy {
  /** Its comment id; `bodyId` when the copy is an issue's body. */
  readonly id: number;
  /**
   * Digest of the copy in the server's answer to our last write, or of the last report about an issue's body; null when
   * unknown.
   */
  readonly digest: string | null;
  /** True while the copy differs from what we wrote: it was changed by hand. */
  readonly isEdited: boolean;
  /** Why we last minimized it; null if we did not. Whatever is done by hand after that stays. */
  readonly minimize: MinimizeReason | null;
}

/** The state of a comment. One that is not mirrored has a reason; one that is pending or skipped has no copy. */
export type CommentStatus =
  | { readonly state: 'pending'; readonly reason: null; readonly copy: null }
  | { readonly state: 'mirrored'; readonly reason: null; readonly copy: CommentCopy | null }
  | { readonly state: 'skipped'; readonly reason: string; readonly copy: null }
  | { readonly state: 'gone' | 'withdrawn'; readonly reason: string; readonly copy: CommentCopy | null };

/** The side on which it was written, with the properties that only tracker comments have. */
export type CommentOrigin =
  | {
      readonly origin: 'tracker';
      /** The text is Markdown; absent for plain text. */
      readonly isMarkdown?: true;
      /** Digest of the text as the anonymous reader saw it; any other text has to be checked before it is published. */
      readonly checkedDigest: string | null;
      /**
       * The attachment named by the line that the tracker puts at the beginning of the comment; null for any other
       * comment.
       */
      readonly attachment: number | null;
      /** Why its copies are to be minimized, according to the tags of the original; null when they are not. */
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
  /** Position within the bug; null for a comment from GitHub. */
  readonly count: number | null;
  readonly author: Person;
  readonly url: string;
  /** Null once the comment is mirrored and the text no longer needed. */
  readonly text: string | null;
  /** Digest of the text as last seen on the side of origin. */
  readonly digest: string;
  /** Digest of the text that the other side last got; differs from `digest` after an edit. */
  readonly mirrored: string | null;
  /**
   * A text that is too long for one comment has several copies. This link has the first; each further part has a
   * comment link of its own with the same source, whose `part` counts from 2 and whose `digest` is that of the whole
   * text.
   */
  readonly part: number;
  /** How many parts the text that the other side last got has; 1 when that is not known yet. */
  readonly parts: number;
  /**
   * A text to compare with: the one that the other side last got, while a later one waits to be reported; the body of
   * an issue that copies a description, as it was before it was edited; or a copy on the tracker whose source is not
   * known yet. Null when there is nothing to compare.
   */
  readonly before: string | null;
  /**
   * Digest of the copy as we last sent it, even before the answer arrives; null when unknown, as after a lost answer.
   */
  readonly wrote: string | null;
  /**
   * True if something that the copy shows may have changed, or if its source was deleted: the next plan compares and
   * corrects it.
   */
  readonly isStale: boolean;
  /** For a remark, the bridge's own comment that explains something: the key of what it explains. */
  readonly remark?: string;
  readonly createdAt: number;
  /**
   * When the version last seen was written, by GitHub's stamp: of a source, or of a copy that was written again. Absent
   * if that is not known.
   */
  readonly changedAt?: number;
}

export type NewCommentLink = CommentFacts & CommentOrigin & CommentStatus;

/** A comment and its copy on the other side. Descriptions and issue bodies are comments too. */
export type CommentLink = NewCommentLink & { readonly id: CommentLinkId };

/** A comment written on the tracker. */
export type TrackerCommentLink = Extract<CommentLink, { readonly origin: 'tracker' }>;

/** Compares comment links by when they were written; those of one second keep the order of their side. */
export const byTime = (
  one: Pick<CommentLink, 'createdAt' | 'source'>,
  other: Pick<CommentLink, 'createdAt' | 'source'>,
): number => one.createdAt - other.createdAt || one.source - other.source;

/**
 * The name of a link's end on the side that is written to: `bug 12` or `acme/widget#5`; if that end does not exist, the
 * name of the other.
 */
export function aboutOf(link: Link, side: Side): string {
  const bug = link.bug === null ? null : `bug ${link.bug}`;
  const issue = link.issue === null ? null : `${link.repo}#${link.issue}`;
  return (side === 'tracker' ? (bug ?? issue) : (issue ?? bug)) ?? 'a link without ends';
}

/**
 * What people may want to see of the pairs of a route:
 *
 *   all        the newest first
 *   waiting    due for planning, or with operations that are not done
 *   person     with a conflict, a finding or a parked operation that needs a person
 *   parked     with a parked operation
 *   frozen     kept, but not written
 *   withdrawn  taken off GitHub because the bug is not public
 *   gone       given up, because one end was deleted
 */
export const pairFilters = ['all', 'waiting', 'person', 'parked', 'frozen', 'withdrawn', 'gone'] as const;
export type PairFilter = (typeof pairFilters)[number];

export interface PairQuery {
  readonly route: string;
  readonly filter: PairFilter;
  /** Beginnings of words, all of which the titles of both ends have together; empty for no search. */
  readonly words: string;
  /** Only pairs with a lower id; null for the first page. */
  readonly before: LinkId | null;
}

export interface Pairs {
  /** The newest first. The number of pairs of the route makes no difference to what a page costs. */
  list(query: PairQuery, limit: number): readonly Link[];
}

/** A link that is due for planning, without its content. */
export interface Wanting {
  readonly id: LinkId;
  readonly hasBug: boolean;
  readonly hasIssue: boolean;
}

/**
 * A pair of which the state may know less than both sides show: a backup came back, or the state was lost. What the
 * bridge wrote meanwhile looks like an edit there, so who set a value is asked before it crosses.
 */
export interface OlderPair {
  readonly link: LinkId;
  /** Since when that is known, by our clock. */
  readonly at: number;
  /** Until when the state knew each side, by the side's own clock; null if it never did. */
  readonly knownUntil: Readonly<Record<Side, number | null>>;
  /** When both sides were last seen to agree since then, by field. */
  readonly agreed: Readonly<Partial<Record<FieldName, number>>>;
  readonly settled: SettledFields;
  /** Whether it is the tracker that went back, and not the state. */
  readonly isTrackerOlder: boolean;
}

/**
 * The fields that were asked about, and what came of it:
 *   base          the base of the pair says which side changed
 *   a side, null  people set both values: the side that wins; null for a person
 */
export type SettledFields = Readonly<Partial<Record<FieldName, Side | 'base' | null>>>;

export interface OlderPairs {
  get(link: LinkId): OlderPair | null;
  settle(link: LinkId, settled: SettledFields): void;
  agree(link: LinkId, agreed: OlderPair['agreed']): void;
  /** Marks one pair, unless it is marked already; the other takes the mark off: the state knows all of the pair. */
  mark(link: LinkId, at: number): void;
  unmark(link: LinkId): void;
  /** Marks all pairs of the route; of those that are marked already, nothing counts as settled any more. */
  markAll(route: string, at: number, knownUntil: OlderPair['knownUntil']): void;
  /** Marks all pairs of the route whose bugs are older than the state, unless they are marked so already. */
  markTrackerOlder(route: string, at: number): void;
  /** Whether a pair of the route was marked then or later. */
  isMarkedSince(route: string, at: number): boolean;
  /** Takes the mark off pairs that were marked before and agree: nothing of them waits, and no conflict is open. */
  clear(route: string, before: number): void;
}
