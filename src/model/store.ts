import type { AttachmentLinks } from './attachment.ts';
import type { Dashboards, Moments, Pauses, UnknownWrites } from './control.ts';
import type { BugId, CommentLinkId, IssueNumber, LinkId, Side } from './ids.ts';
import type { CommentLink, Link, LinkState, NewCommentLink, NewLink, OlderPairs, Pairs, Wanting } from './link.ts';
import type { CutoverNotices, TakenImports, Undertakings } from './migration.ts';
import type { Failures, SetAsides } from './outcome.ts';
import type { Authors } from './people.ts';
import type { Conflict, Operation, Skip } from './plan/operation.ts';
import type { Outbox } from './plan/outbox.ts';
import type { LinkPulls } from './pulls/pull.ts';
import type { LinkPushes } from './pulls/push.ts';
import type { Receipts } from './receipt.ts';
import type { ToldReceivers } from './reports/notice.ts';
import type { Places } from './route.ts';
import type { Backoff, Cost, FoundLimit } from './runtime.ts';
import type { Cursors, Greetings, Looks, Retirements } from './survey.ts';

/**
 * The state of the bridge, by concept. Every method is atomic and synchronous; `transaction` combines several, and may
 * be nested.
 */
export interface Store {
  transaction<T>(work: () => T): T;
  /** Meanwhile, what is stored survives a kill at once, and a power cut from `flush` on, or when the work waits. */
  unhurried<T>(work: () => Promise<T>): Promise<T>;
  /** Has all that is stored on the disk. Call it before a request leaves. */
  flush(): void;
  readonly links: Links;
  readonly pairs: Pairs;
  readonly commentLinks: CommentLinks;
  readonly mentions: Mentions;
  readonly attachmentLinks: AttachmentLinks;
  readonly pulls: LinkPulls;
  readonly pushes: LinkPushes;
  readonly outbox: Outbox;
  readonly cursors: Cursors;
  readonly looks: Looks;
  readonly ledger: Ledger;
  readonly budgets: Budgets;
  readonly moments: Moments;
  readonly findings: Findings;
  readonly cutoverNotices: CutoverNotices;
  readonly imports: TakenImports;
  readonly undertakings: Undertakings;
  readonly olderPairs: OlderPairs;
  readonly unknownWrites: UnknownWrites;
  readonly refusals: Refusals;
  readonly retirements: Retirements;
  readonly greetings: Greetings;
  readonly failures: Failures;
  readonly setAside: SetAsides;
  readonly pauses: Pauses;
  readonly dashboards: Dashboards;
  readonly toldReceivers: ToldReceivers;
  readonly places: Places;
  readonly receipts: Receipts;
  /** A new scratch, for values of JSON, outside the state. Throws `StateUnusable` if there is no room for it. */
  scratch<Value>(): Scratch<Value>;
  /** The trouble with the state that an error reports, for the operator; null if it is about something else. */
  troubleIn(error: unknown): string | null;
  /** Why nothing can be stored now, as far as the disk shows without a write; null when it can. */
  unwritable(): string | null;
  /** Throws `StateUnusable`, and keeps the content, if the state file was removed or replaced since it was opened. */
  assertInPlace(): void;
  close(): void;
}

/**
 * Data of a whole tracker or repository that a command needs later. It is on disk, so that memory does not grow, and
 * ends with the process. Writes and reads throw `StateUnusable` if the disk is full or broken.
 */
export interface Scratch<Value> {
  /** Replaces an item that is there already. */
  put(owner: number, item: number, value: Value): void;
  of(owner: number): readonly Value[];
  close(): void;
}

export interface Links {
  /** A bug or an issue belongs to at most one link: a second one throws. */
  add(link: NewLink): Link;
  save(link: Link): void;
  /** Deletes a link together with its comment links, findings and planned operations. */
  remove(id: LinkId): void;
  byId(id: LinkId): Link | null;
  byBug(bug: BugId): Link | null;
  byIssue(repo: string, issue: IssueNumber): Link | null;
  /** One-ended links of the repository whose end, on `side`, names `claim`; lowest id first. */
  claiming(repo: string, side: Side, claim: number): readonly Link[];
  /**
   * Links of the repository whose bug depends on this bug, or whose issue this issue blocks, as they were last seen.
   */
  dependents(repo: string, bug: BugId | null, issue: IssueNumber | null): readonly Link[];
  /** Links of any route whose bug duplicates this one, as last seen. */
  duplicates(bug: BugId): readonly Link[];
  /** Links that are due for planning: urgent ones first, then by id. Never tombstones. */
  wanting(route: string, limit: number): readonly Link[];
  /** Those that are urgent, by id, with the people whose comments wait on them, or else who made the item. */
  urgent(route: string): readonly { readonly id: LinkId; readonly people: readonly string[] }[];
  /** The same without a limit, one by one, to use little memory. Nothing may be stored during the iteration. */
  eachWanting(route: string): Iterable<Wanting>;
  /** Of those, all issues that name a bug which no reading has shown. */
  unmet(route: string): readonly Link[];
  /** Links with something to withdraw or to restore; also those of which a lost state does not know that. */
  withdrawing(route: string): readonly Link[];
  /** Links of other routes whose bugs moved to this product. */
  moved(product: string, route: string): readonly Link[];
  /** Links that keep an old issue of this bug; and those of a route that are due, or show what is hidden by now. */
  former(bug: BugId): readonly Link[];
  formerDue(route: string): readonly Link[];
  /** Links of issues that wait for a bug which another link has, and which is hidden. */
  twinsOfHidden(route: string, repo: string): readonly Link[];
  /** Links whose issue was opened at that moment. */
  ofAge(createdAt: number): readonly Link[];
  /** All live links with two ends that changed since they were last planned. */
  changed(route: string): readonly Link[];
  /** The repositories that the links of a route name. */
  repos(route: string): readonly string[];
  /** The repository of a route has another name. */
  renameRepo(route: string, from: string, to: string): void;
  /** The names of all routes that have links, including those that are no longer configured. */
  routes(): readonly string[];
  /** Removes these fields from the bases. */
  forget(route: string, fields: readonly string[]): void;
  /** Queues all live links for planning with the backfill, unless they are queued already. */
  markDirty(route: string): void;
  /**
   * All links of a route by ascending id, in batches, so that a large route does not have to fit into memory. Links may
   * be saved meanwhile.
   */
  batches(route: string, size?: number): Iterable<readonly Link[]>;
  /** Links of a route with an id above `after`, ascending. */
  after(route: string, after: LinkId | null, limit: number): readonly Link[];
  /** How many issues of the route show the neutral line because their bug is not public. */
  withdrawn(route: string): number;
  count(route: string): LinkCount;
  /** How many live links with both ends have an end by one of the authors. */
  madeBy(route: string, authors: Authors): number;
  /** Records that a sweep, identified by its start time, met these numbers. */
  markSwept(route: string, side: Side, refs: readonly number[], sweepAt: number): void;
  /** Live links whose end on `side` is older than the sweep that began at `sweepAt` and was not met by it. */
  unswept(route: string, side: Side, sweepAt: number, limit: number): readonly Link[];
}

export interface LinkCount {
  readonly byState: Readonly<Record<LinkState, number>>;
  /** Live links with both ends. */
  readonly whole: number;
  readonly wanting: number;
  /** Those that wait for a plan or for a write. */
  readonly waiting: number;
  /** Live links with one end, by its side. */
  readonly alone: Readonly<Record<Side, number>>;
  /** Those that wait for a plan. */
  readonly halves: Readonly<Record<Side, number>>;
}

/** How texts name comments. */
export interface CommentNames {
  readonly counts: readonly number[];
  readonly ids: readonly number[];
}

export interface CommentLinks {
  /** The pair (origin, source) is unique within a link, and so is each further part of a text: a second one throws. */
  add(commentLink: NewCommentLink): CommentLink;
  save(commentLink: CommentLink): void;
  byId(id: CommentLinkId): CommentLink | null;
  /** In the order in which they were written. */
  ofLink(link: LinkId): readonly CommentLink[];
  /** All parts of one comment, in the same order. */
  ofSource(link: LinkId, origin: Side, source: number): readonly CommentLink[];
  /** Those with one of these numbers within their bug, or one of these ids on GitHub. */
  named(link: LinkId, names: CommentNames): readonly CommentLink[];
  /** Links of the route with comment links whose copies may have to be corrected, ascending. */
  staleLinks(route: string): readonly LinkId[];
  /** Moves all comment links of one link to another, when two one-ended links turn out to be the same. */
  move(from: LinkId, to: LinkId): void;
  /** How many comments wait on links that are due for planning, by their side and without the texts of new items. */
  waiting(route: string): readonly WaitingComments[];
  /** How many comments and files each bug has that got an issue, of links with an id above `after`, up to `upTo`. */
  lengths(route: string, after: number, upTo: LinkId): readonly Readonly<Record<'comments' | 'files', number>>[];
}

/** Links of which no text waits are left out. */
export interface WaitingComments extends Readonly<Record<Side, number>> {
  readonly link: LinkId;
  readonly hasBug: boolean;
  readonly hasIssue: boolean;
}

/**
 * References in copies on GitHub that may have to be rendered differently later: to a bug or a comment without a
 * counterpart, and to any attachment. Written as people write them: `bug 12`, `bug 12 comment 3`, `attachment 9`.
 */
export interface Mentions {
  /** Replaces all mentions of the comment link's copy. */
  replace(commentLink: CommentLinkId, mentions: readonly string[]): void;
  /** The comment links whose copies have this mention. */
  of(mention: string): readonly CommentLinkId[];
}

export interface LedgerLine {
  readonly at: number;
  readonly route: string;
  readonly link: LinkId;
  readonly bug: BugId | null;
  readonly issue: IssueNumber | null;
  /** The side written to; null if only our own state changed. */
  readonly on: Side | null;
  readonly kind:
    | Operation['kind']
    | 'bind'
    | 'agree'
    | 'freeze'
    | 'thaw'
    | 'bury'
    | 'conflict'
    | 'settle'
    | 'withdraw'
    | 'restore';
  readonly outcome: string;
  /** Details for people: values before and after, reasons, ids. Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Ledger {
  add(line: LedgerLine): void;
  ofLink(link: LinkId): readonly LedgerLine[];
  /** The newest lines of a route, newest first. */
  latest(route: string, limit: number): readonly LedgerLine[];
  /** The newest lines of a route about corrections on its mirror after `sinceAt`, newest first. */
  corrections(route: string, sinceAt: number, limit: number): readonly LedgerLine[];
  /** The number of writes since then, by time slot, side and kind; without empty slots. */
  tally(sinceAt: number, slotMs: number): readonly Tally[];
}

export interface Tally {
  /** The start of the slot. */
  readonly slotAt: number;
  readonly on: Side;
  readonly kind: LedgerLine['kind'];
  readonly count: number;
}

export interface Spent {
  readonly at: number;
  readonly points: number;
}

/** The spent part of each side's allowance; survives a restart. Rows much older than an hour may be deleted. */
export interface Budgets {
  spend(side: Side, cost: Cost, spent: Spent): void;
  since(side: Side, costs: readonly Cost[], at: number): readonly Spent[];
  /** The points of a cost that are less than a window away from this time. */
  within(side: Side, cost: Cost, at: number, windowMs: number): number;
  /** Whether these are fewer than `pointsMax`. */
  isBelow(side: Side, cost: Cost, at: number, windowMs: number, pointsMax: number): boolean;
  /** Replaces the limit of the same window. */
  keepLimit(side: Side, found: FoundLimit): void;
  /** The shortest window first. */
  foundLimits(side: Side): readonly FoundLimit[];
  /** The one of two that ends later is in force. By default it is the first in a row, and as long as was asked for. */
  backOff(side: Side, until: number, why: string, more?: Partial<Pick<Backoff, 'askedUntil' | 'times'>>): void;
  /** The last backoff, over or not; null before the first. */
  lastBackoff(side: Side): Backoff | null;
  /** Shortens the backoff to what the side asked for, and makes the next one count as the first in a row. */
  calm(side: Side): void;
  /** The backoff in force at `now`, or null. */
  backoffOf(side: Side, now: number): Omit<Backoff, 'times'> | null;
}

/** Findings of the planner for people: replaced whenever the link is planned. */
export interface Findings {
  replace(link: LinkId, conflicts: readonly Conflict[], skips: readonly Skip[], at: number): void;
  ofRoute(route: string, limit: number): { readonly conflicts: readonly Conflict[]; readonly skips: readonly Skip[] };
  ofLink(link: LinkId): { readonly conflicts: readonly Conflict[]; readonly skips: readonly Skip[] };
  /** How many conflicts and skips of a route's live links wait for a person; not limited. */
  open(route: string): OpenCount;
}

/** Plans that the brake holds back, until the same plan passes or is forced. */
export interface Refusals {
  /** Replaces an earlier refusal with the same `of`. */
  save(route: string, refused: Refused): void;
  remove(route: string, of: Refused['of']): void;
  ofRoute(route: string): readonly Refused[];
}

export interface Refused {
  /** The plan of a cycle, or the full comparison of this side. */
  readonly of: 'plan' | Side;
  readonly at: number;
  readonly why: string;
}

export interface OpenCount {
  readonly conflicts: number;
  readonly skips: number;
}
