import type { Side } from './ids.ts';
import type { Bug, Comment, Issue, Item, MinimizeReason, Person } from './item.ts';
import type { IssueEvent } from './label-event.ts';
import type { IssuePlace, MayGoOn, Outcome, Probe } from './outcome.ts';
import type { Account } from './people.ts';
import type { BugDraft, BugPatch, IssueDraft, IssuePatch } from './plan/draft.ts';
import type { Closer } from './pulls/closer.ts';
import type { Pull, ShownPull } from './pulls/pull.ts';
import type { Push } from './pulls/push.ts';
import type { PastChange } from './receipt.ts';
import type { Vocabulary } from './route.ts';
import type { InTime } from './runtime.ts';
import type { GithubHello, Hello, IssueField, Look, LookAsk, RepositorySurvey } from './survey.ts';

/** An item that a list names and that we fail to read, or, with `isOfSide`, that the side fails to show. */
export interface FailedItem {
  readonly ref: number;
  readonly why: string;
  /** What failed is one of its comments. */
  readonly of?: 'item' | 'thread';
  readonly isOfSide?: true;
}

/** The result of one read of a side. */
export interface Page<I> {
  readonly items: readonly I[];
  /** Items that belong here and could not be read; absent where none can be missing. */
  readonly failed?: readonly FailedItem[];
  /** Comments that came with the read, also those on items that no read has shown. */
  readonly comments: readonly Comment[];
  /** The side's own clock when it answered, epoch milliseconds. */
  readonly readAt: number;
}

/** `cursor` covers everything in the page. The bridge only hands it back; its content is the replica's own. */
export interface Changes<I> extends Page<I> {
  readonly cursor: string;
  /** True if changes are left that only the next calls read: a call takes so much time at most. */
  readonly hasMore?: boolean;
  /** False if `readAt` is no clock's, but the time of the newest change. */
  readonly hasClock?: boolean;
  /** With GitHub's issues only: pull requests that changed, and new commits on the announced branch, null for none. */
  readonly pulls?: readonly Pull[];
  readonly push?: Push | null;
}

/** `next` is null on the last page. */
export interface Listing<I> extends Page<I> {
  readonly next: string | null;
}

/** Asks for the comments of one item that are newer than `sinceAt`, or with null for all of them. */
export type ThreadAsk = { readonly ref: number; readonly sinceAt: number | null };

export interface Thread {
  readonly ref: number;
  /** True if all comments were asked for, so that a missing one does not exist, or is hidden. */
  readonly isWhole: boolean;
  readonly comments: readonly Comment[];
  readonly readAt: number;
  /** Comments that a whole thread does not show, and that may exist all the same. */
  readonly unshown?: readonly number[];
}

/**
 * The port to one side of one route. Writes answer with outcomes and never throw for anything that the world does;
 * reads throw `SideError`. Nothing here retries.
 */
interface Replica<I extends Item, Draft, Patch> {
  readonly side: Side;

  /** Verifies the credentials. */
  hello(): Promise<Hello>;

  /** Our account, as the side said at `sinceAt` or later; null if it does not. Throws `SideError`. */
  account(sinceAt: number): Promise<Account | null>;

  /**
   * All changes since `cursor`, including late ones; those of the last second before it are repeated. With null: no
   * changes, and a cursor for this moment.
   * @param isRenamed whether the side said that something changed its name that items have; otherwise it looks at times
   *   of its own
   */
  changes(cursor: string | null, isRenamed?: boolean, inTime?: InTime): Promise<Changes<I>>;

  /** Everything the route may select, page by page, in an order that concurrent changes do not disturb. */
  list(page: string | null, inTime?: InTime): Promise<Listing<I>>;

  /** Comments of several items in few requests. Items that cannot be reached are left out of the answer. */
  threads(asks: readonly ThreadAsk[], inTime?: InTime): Promise<readonly Thread[]>;

  probe(ref: number): Promise<Probe<I>>;

  create(draft: Draft): Promise<Outcome<I>>;

  /**
   * Applies `patch` to `seen`, with one writing request: `stale` when the values that the patch touches are no longer
   * as seen.
   */
  update(seen: I, patch: Patch, mayGoOn?: MayGoOn): Promise<Outcome<I>>;

  /** @param isMarkdown whether the text is Markdown, for a tracker that takes both */
  comment(ref: number, text: string, isMarkdown?: boolean): Promise<Outcome<Comment>>;
}

export interface TrackerReplica extends Replica<Bug, BugDraft, BugPatch> {
  readonly side: 'tracker';
  /** Where people find it. */
  readonly url: string;
  /** @param isAnew whether an answer of today does not do */
  vocabulary(isAnew?: boolean): Promise<Vocabulary>;

  /** Whether our account sees the product now; null if the tracker does not say. Throws `SideError`. */
  hasProduct(): Promise<boolean | null>;

  /**
   * Bugs by their ids, many in a request, read as directly as by `probe`, since a list may lag behind. Bugs that cannot
   * be reached are left out.
   */
  bugs(refs: readonly number[], inTime?: InTime): Promise<readonly Bug[]>;

  /** Bugs of any product that our account filed, changed at `sinceAt` or later, by the tracker's clock. */
  filedByUs(sinceAt: number): Promise<Required<Pick<Page<Bug>, 'items' | 'failed'>>>;

  /** Which of these bugs our account is shown now: one request as long as it is shown all of them. */
  lookAt(ask: LookAsk, inTime?: InTime): Promise<Look>;

  /** Changes to these bugs in this second or later. */
  history(refs: readonly number[], sinceAt: number, inTime?: InTime): Promise<History>;

  /** What has this id now: ids of comments that were lost may be given again. */
  commentAt(id: number): Promise<CommentAt>;

  /**
   * Attaches a pull request to a bug, with a comment: `refused` without a write if the tracker would show its address
   * as a text file.
   */
  attachPull(ref: number, pull: AttachedPull): Promise<Outcome<null>>;

  /** Changes what such an attachment shows. @param text a comment that goes with it; null for none */
  changePull(attachment: number, shown: ShownPull, text: string | null): Promise<Outcome<null>>;

  /**
   * What the attachments of these bugs show now, by bug and by attachment. Bugs that cannot be read are left out.
   * Throws `SideError`.
   */
  shownPulls(refs: readonly number[], inTime?: InTime): Promise<ReadonlyMap<number, ReadonlyMap<number, ShownPull>>>;
}

/** A pull request as an attachment. */
export interface AttachedPull {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** The comment that goes with it. */
  readonly text: string;
}

export interface History {
  readonly changes: readonly PastChange[];
  /** Bugs whose changes could not be read. */
  readonly unread: readonly number[];
}

/**
 *   there    a comment of this bug, by this login
 *   private  a comment of a bug that we see, which is not for us
 *   missing  nothing
 *   unknown  the tracker does not say: the bug is hidden, or the tracker fails on it
 */
export type CommentAt =
  | { readonly kind: 'there'; readonly bug: number; readonly login: string }
  | { readonly kind: 'private' | 'missing' | 'unknown' };

export interface MadeSince {
  readonly issues: readonly Issue[];
  /** Why some numbers could not be read: each may be a new issue, too. */
  readonly unread: readonly string[];
  /** New issues of this repository that people transferred, and where. */
  readonly moved: readonly { readonly number: number; readonly place: IssuePlace }[];
  /** False when there are more numbers than one call looks at; the next call goes on from there. */
  readonly isWhole: boolean;
}

/** A person, and when this person did something; null when the side does not say. */
export type Actor = Person & { readonly at: number | null };

/** A version of a text, and who wrote it; null for what the side does not tell. */
export interface BodyVersion {
  readonly login: string | null;
  readonly text: string | null;
}

/** Groups of events, of each of which the last is wanted. */
export type LastAsk = readonly (readonly IssueEvent[])[];

export interface GithubReplica extends Replica<Issue, IssueDraft, IssuePatch> {
  readonly side: 'github';
  hello(): Promise<GithubHello>;

  /**
   * GitHub's own number of a repository, by the name that it has or had; null if GitHub itself says that there is none.
   * Throws `SideError` for any other answer.
   */
  idOf(name: string): Promise<number | null>;
  /** The other way round, by the name that it has now. */
  nameOf(id: number): Promise<string | null>;

  /** Where an issue of any repository is now, wherever people transferred it; null if it is gone. Throws `SideError`. */
  placeOf(place: IssuePlace): Promise<IssuePlace | null>;

  /** Which repository has the name now, and whether it is private. Free while the answer stays. Throws `SideError`. */
  standing(): Promise<Pick<RepositorySurvey, 'id' | 'isPrivate'>>;

  /** Announces the issues that will be updated soon, in order, to be read together; replaces an earlier list. */
  announce(refs: readonly number[]): void;

  /**
   * Issues created at `sinceAt` (epoch milliseconds, by our clock) or later, except those that `isKnown` accepts, also
   * those that no list shows yet. A number that cannot be read keeps no other from being read. Throws `SideError`.
   * @param own our account, if only what it opened is looked for
   */
  madeSince(sinceAt: number, isKnown: (number: number) => boolean, own?: Account | null): Promise<MadeSince>;

  /**
   * Replaces the text of a comment on an issue: `stale` if `mayReplace` rejects the text that is read just before the
   * write. `gone` when the comment or its issue does not exist.
   */
  rewrite(ref: number, comment: number, text: string, mayReplace: (body: string) => boolean): Promise<Outcome<Comment>>;

  /** Changes a part of a comment's text, also read just before; without a difference, `applied` without a write. */
  amend(ref: number, comment: number, change: (body: string) => string): Promise<Outcome<Comment>>;

  /** Whether a comment that a list lacks exists, as GitHub says when asked for it alone. Throws `SideError`. */
  hasComment(ref: number, comment: number): Promise<boolean>;

  /** Deletes a comment. `applied` also when it no longer exists; `gone` when the issue cannot be reached. */
  erase(ref: number, comment: number): Promise<Outcome<null>>;

  /** Minimizes a comment, or shows it again with null; if it already is so, `applied` without a write. */
  minimize(ref: number, comment: number, minimize: MinimizeReason | null): Promise<Outcome<null>>;

  /** Locks an issue, or unlocks it; `applied` also if it already is so. */
  lock(ref: number, isLocked: boolean): Promise<Outcome<null>>;

  /** The issue that this one was closed as a duplicate of; null if GitHub does not say. */
  original(ref: number): Promise<IssuePlace | null>;

  /**
   * What closed the issue, as it is closed now; null if a person did, or if GitHub does not say. Throws `SideError`
   * when the side is out of reach.
   */
  closer(ref: number): Promise<Closer | null>;

  /**
   * Who last edited the body of the issue, or this comment on it, and when; null if GitHub does not say. Throws
   * `SideError` when the side is out of reach.
   */
  editor(ref: number, comment: number | null): Promise<Actor | 'nobody' | null>;

  /**
   * What the body of the issue, or this comment on it, was before anybody edited it; null if nobody did, or if GitHub
   * does not say. Throws `SideError` when the side is out of reach.
   */
  firstText(ref: number, comment: number | null): Promise<string | null>;

  /**
   * What the body of the issue was after its last edits, the newest first; null if nobody edited it, or if GitHub does
   * not say. Throws `SideError` when the side is out of reach.
   */
  bodyVersions(ref: number): Promise<readonly BodyVersion[] | null>;

  /**
   * For each group of events, the author of the last of them on the issue, null if there was none; null as a whole when
   * GitHub does not say. Throws `SideError` when the side is out of reach.
   */
  lastActors(ref: number, asked: LastAsk): Promise<readonly (Actor | null)[] | null>;

  /**
   * The author of the last such event on the issue; null when GitHub does not say. Throws `SideError` when the side is
   * out of reach.
   */
  whoDid(ref: number, event: IssueEvent): Promise<Actor | null>;

  /**
   * The organisation's fields for issues; null if the owner is no organisation, or if our account may not list them.
   * Throws `SideError`.
   */
  fields(): Promise<readonly IssueField[] | null>;

  /** Whether the repository has a label of that name. Throws `SideError`. */
  hasLabel(name: string): Promise<boolean>;
}
