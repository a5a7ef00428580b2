import type { AttachmentLink, NewAttachmentLink } from './attachment.ts';
import type { AttachmentLinkId, BugId, CommentLinkId, IssueNumber, LinkId, Side } from './ids.ts';
import type { CommentLink, Link, LinkState, NewCommentLink, NewLink } from './link.ts';
import type { CutoverNotices } from './migration.ts';
import type { Conflict, Operation, Skip } from './operation.ts';
import type { Failures } from './outcome.ts';
import type { Receipts } from './receipt.ts';
import type { Cost, Pause } from './runtime.ts';

/**
 * What the bridge remembers, by concept. Synchronous: a transaction never spans a network call.
 * Every method is atomic by itself; `transaction` makes several of them one (and may be nested).
 */
export interface Store {
  transaction<T>(work: () => T): T;
  readonly links: Links;
  readonly commentLinks: CommentLinks;
  readonly mentions: Mentions;
  readonly attachmentLinks: AttachmentLinks;
  readonly outbox: Outbox;
  readonly cursors: Cursors;
  readonly ledger: Ledger;
  readonly budgets: Budgets;
  readonly findings: Findings;
  readonly cutoverNotices: CutoverNotices;
  readonly refusals: Refusals;
  readonly failures: Failures;
  readonly places: Places;
  readonly receipts: Receipts;
  /** What an error says of the state itself, for the operator; null when it is about something else. */
  troubleIn(error: unknown): string | null;
  /** Why nothing can be kept now, as far as the disk tells without trying; null when it can. */
  unwritable(): string | null;
  close(): void;
}

export interface Links {
  /** A bug or an issue belongs to at most one link: a second one throws. */
  add(link: NewLink): Link;
  save(link: Link): void;
  /** Forgets a link together with its comment links, findings and planned operations. */
  remove(id: LinkId): void;
  byId(id: LinkId): Link | null;
  byBug(bug: BugId): Link | null;
  byIssue(repo: string, issue: IssueNumber): Link | null;
  /** One-ended links of the repository whose one end, on `side`, names `claim`; lowest id first. */
  claiming(repo: string, side: Side, claim: number): readonly Link[];
  /** Links of the repository whose bug waits for this bug, or whose issue this issue blocks, as they were last seen. */
  dependents(repo: string, bug: BugId | null, issue: IssueNumber | null): readonly Link[];
  /** Links that want planning: urgent ones first, then by id. Tombstones never want any. */
  wanting(route: string, limit: number): readonly Link[];
  /** The same without a limit, one by one, so that memory does not grow with them. Nothing may be stored on the way. */
  eachWanting(route: string): Iterable<Wanting>;
  /**
   * Links of which something has to go from GitHub or may come back: hidden bugs that were not looked at since, withdrawn comments and
   * files whose copies stand, comments that name such a file, issues that were withdrawn and whose bugs changed. All of them.
   * @param product what the route takes
   */
  withdrawing(route: string, product: string): readonly Link[];
  /** Live links with two ends that changed since they were last planned. All of them. */
  changed(route: string): readonly Link[];
  /** The names of all routes that have links, also of those that the configuration no longer has. */
  routes(): readonly string[];
  /** Forgets what both sides last agreed on in these fields. */
  forget(route: string, fields: readonly string[]): void;
  /** Has all live links planned again that do not wait for it already, in the turn of the backfill. */
  markDirty(route: string): void;
  /** All links of a route with an id above `after`, ascending: for walks that must not load everything. */
  after(route: string, after: LinkId | null, limit: number): readonly Link[];
  /** How many issues of the route show the neutral line, because their bug is not public. */
  withdrawn(route: string): number;
  count(route: string): LinkCount;
  /** Remembers that a sweep, known by its start time, met these refs. */
  markSwept(route: string, side: Side, refs: readonly number[], sweepAt: number): void;
  /** Live links whose end on `side` was not met by the sweep that began at `sweepAt` and is older than it. */
  unswept(route: string, side: Side, sweepAt: number, limit: number): readonly Link[];
}

/** A link that wants planning, without what it holds. */
export interface Wanting {
  readonly id: LinkId;
  readonly hasBug: boolean;
  readonly hasIssue: boolean;
}

export interface LinkCount {
  readonly byState: Readonly<Record<LinkState, number>>;
  /** Live links whose two ends exist. */
  readonly whole: number;
  readonly wanting: number;
}

export interface CommentLinks {
  /** The pair (origin, source) is unique within a link, and so is each further part of a text: a second one throws. */
  add(commentLink: NewCommentLink): CommentLink;
  save(commentLink: CommentLink): void;
  byId(id: CommentLinkId): CommentLink | null;
  /** In the order in which they were written. */
  ofLink(link: LinkId): readonly CommentLink[];
  /** Links of the route with comment links whose copies may have to be put right, ascending. */
  staleLinks(route: string): readonly LinkId[];
  /** Moves all comment links of one link to another, when two one-ended links turn out to be one. */
  move(from: LinkId, to: LinkId): void;
}

/**
 * What the copies on GitHub refer to and what may look different one day: a bug or a comment that has no counterpart yet, and any
 * attachment. Written as people write it: `bug 12`, `bug 12 comment 3`, `attachment 9`.
 */
export interface Mentions {
  /** Makes `mentions` the whole of what the comment link's copy refers to. */
  replace(commentLink: CommentLinkId, mentions: readonly string[]): void;
  /** The comment links whose copies refer to it. */
  of(mention: string): readonly CommentLinkId[];
}

export interface AttachmentLinks {
  /** The pair (origin, source) is unique within a link: a second one throws. */
  add(attachmentLink: NewAttachmentLink): AttachmentLink;
  save(attachmentLink: AttachmentLink): void;
  byId(id: AttachmentLinkId): AttachmentLink | null;
  /** The tracker's attachment of this id. */
  byAttachment(id: number): AttachmentLink | null;
  /** In the order in which they came to be. */
  ofLink(link: LinkId): readonly AttachmentLink[];
  /** Moves all attachment links of one link to another; of two for the same file the one that has a copy stays. */
  move(from: LinkId, to: LinkId): void;
  /** How many files of a route are not for other eyes any more. */
  withdrawn(route: string): number;
  /** The reading of the bug's thread with which its files were last read; null before the first time. */
  readAt(link: LinkId): number | null;
  markRead(link: LinkId, threadReadAt: number): void;
}

/**
 *   planned  wanted; recomputed in every cycle
 *   sent     the request may have left: settled by looking, before anything else is done to the link
 *   parked   given up; executed again only when its content changes or a person asks
 */
export type OutboxState = 'planned' | 'sent' | 'parked';

export interface OutboxRow {
  /** By which people name it; stays with the row and is never given twice. */
  readonly number: number;
  readonly operation: Operation;
  readonly route: string;
  readonly state: OutboxState;
  readonly attempts: number;
  /** Epoch milliseconds before which it is not tried. */
  readonly notBeforeAt: number | null;
  readonly sentAt: number | null;
  /** Since when it has been put off; null for what was not. What is parked after that keeps its place: later comments wait behind it. */
  readonly waitingSince: number | null;
  readonly why: string | null;
}

export interface Outbox {
  /**
   * Makes `operations` the whole of what is planned for `links`, in this order. A row of the same key keeps its attempts and
   * how long it waits; a parked row stays parked while its operation is the same and is planned afresh when it differs; other
   * planned and parked rows of these links disappear. Rows that were sent are not touched, and win over an operation of the same key.
   */
  replace(route: string, links: readonly LinkId[], operations: readonly Operation[]): void;
  /** Planned rows in their order, whose time has come. */
  due(route: string, now: number): readonly OutboxRow[];
  sent(route: string): readonly OutboxRow[];
  parked(route: string): readonly OutboxRow[];
  ofLink(link: LinkId): readonly OutboxRow[];
  get(key: string): OutboxRow | null;
  byNumber(number: number): OutboxRow | null;
  /** Changes how a row stands, or what of its wish is sent; the key stays. */
  mark(key: string, change: Partial<Omit<OutboxRow, 'number' | 'route'>>): void;
  remove(key: string): void;
  count(route: string): Readonly<Record<OutboxState, number>>;
}

export interface CursorRow {
  /** Handed to `changes`; null before the first poll. */
  readonly changes: string | null;
  /** The next page of the first full reading, handed to `list`. */
  readonly listing: string | null;
  /** True once the first full reading has seen everything. */
  readonly isComplete: boolean;
  /** When the side was last read, by our clock and by its own. */
  readonly polledAt: number;
  readonly readAt: number;
  /** When the last finished sweep began; null before the first. */
  readonly sweptAt: number | null;
}

export interface Cursors {
  get(route: string, side: Side): CursorRow | null;
  put(route: string, side: Side, row: CursorRow): void;
}

export interface LedgerLine {
  readonly at: number;
  readonly route: string;
  readonly link: LinkId;
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  /** The side written to; null for what only concerns our own state. */
  readonly on: Side | null;
  readonly kind: Operation['kind'] | 'bind' | 'agree' | 'freeze' | 'thaw' | 'bury' | 'conflict' | 'settle' | 'withdraw' | 'restore';
  readonly outcome: string;
  /** What people want to know: values before and after, reasons, ids. Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Ledger {
  add(line: LedgerLine): void;
  ofLink(link: LinkId): readonly LedgerLine[];
  /** The newest lines of a route, newest first. */
  latest(route: string, limit: number): readonly LedgerLine[];
  /** The newest lines of a route that tell what was put right on its mirror after `sinceAt`, newest first. */
  corrections(route: string, sinceAt: number, limit: number): readonly LedgerLine[];
  /** How much was written since then, by slots of time, side and kind; slots in which nothing was written are left out. */
  tally(sinceAt: number, slotMs: number): readonly Tally[];
}

export interface Tally {
  /** When the slot begins. */
  readonly slotAt: number;
  readonly on: Side;
  readonly kind: LedgerLine['kind'];
  readonly count: number;
}

export interface Spent {
  readonly at: number;
  readonly points: number;
}

/** What was spent of each side's allowance; survives a restart. Older than an hour may be forgotten. */
export interface Budgets {
  spend(side: Side, cost: Cost, spent: Spent): void;
  since(side: Side, costs: readonly Cost[], at: number): readonly Spent[];
  /** Of two pauses the one that ends last is in force. `times` as in `Pause`; 1 unless told. */
  pause(side: Side, until: number, why: string, times?: number): void;
  /** Whether it is over or not; null before the first. */
  lastPause(side: Side): Pause | null;
  /** The next pause is the first of a row. */
  calm(side: Side): void;
  /** The pause in force at `now`, or null. */
  pauseOf(side: Side, now: number): { readonly until: number; readonly why: string } | null;
}

/** What planning found that a person may want to know: replaced whenever the link is planned. */
export interface Findings {
  replace(link: LinkId, conflicts: readonly Conflict[], skips: readonly Skip[], at: number): void;
  ofRoute(route: string, limit: number): { readonly conflicts: readonly Conflict[]; readonly skips: readonly Skip[] };
  ofLink(link: LinkId): { readonly conflicts: readonly Conflict[]; readonly skips: readonly Skip[] };
  /** How many of a route's live links wait for a person, all counted. */
  open(route: string): OpenCount;
}

/** Where GitHub showed the fields of a route's bugs when they were last agreed on, by field. */
export interface Places {
  /** Takes the place of all that was known of the route. */
  save(route: string, places: Readonly<Record<string, Place>>): void;
  ofRoute(route: string): Readonly<Record<string, Place>>;
}

export interface Place {
  /** In words of the bridge's own. */
  readonly name: string;
  /** Of a field of the organisation, by which one that is made anew under the same name is told from it; 0 while there is none, null before anybody asked. */
  readonly fieldId: number | null;
}

/** What the brake holds back: it stays until the same goes through, or is forced. */
export interface Refusals {
  /** Takes the place of an earlier one of the same thing. */
  save(route: string, refused: Refused): void;
  remove(route: string, of: Refused['of']): void;
  ofRoute(route: string): readonly Refused[];
}

export interface Refused {
  /** The plan of a cycle, or what a full comparison missed on this side. */
  readonly of: 'plan' | Side;
  readonly at: number;
  readonly why: string;
}

export interface OpenCount {
  readonly conflicts: number;
  readonly skips: number;
}
