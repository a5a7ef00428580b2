import type { Attachment } from './attachment.ts';
import type { Side } from './ids.ts';
import type { Bug, Comment, Issue, Item, MinimizeReason, Person } from './item.ts';
import type { LabelEvent } from './label-event.ts';
import type { BugDraft, BugPatch, IssueDraft, IssuePatch } from './operation.ts';
import type { Outcome, Probe } from './outcome.ts';
import type { PastChange } from './receipt.ts';
import type { Vocabulary } from './route.ts';
import type { IssueField } from './survey.ts';

/** What one read of a side brought. */
export interface Page<I> {
  readonly items: readonly I[];
  /** Comments that the read brought along; comments of items that are not linked are ignored. */
  readonly comments: readonly Comment[];
  /** The side's own clock when it answered, epoch milliseconds. */
  readonly readAt: number;
}

/** `cursor` covers all that is in the page, and is only ever handed back; its content is the replica's own. */
export interface Changes<I> extends Page<I> {
  readonly cursor: string;
}

/** `next` is null on the last page. */
export interface Listing<I> extends Page<I> {
  readonly next: string | null;
}

/** Asks for the comments of one item that are newer than `sinceAt`, or for all of them. */
export interface ThreadAsk {
  readonly ref: number;
  readonly sinceAt: number | null;
}

export interface Thread {
  readonly ref: number;
  /** True when all comments were asked for, so that one that is not here does not exist (or is hidden). */
  readonly isWhole: boolean;
  readonly comments: readonly Comment[];
  readonly readAt: number;
}

/**
 * The port to one side of one route. Writes answer with outcomes and never throw for what the world does;
 * reads throw `SideError`. Nothing here retries.
 */
export interface Replica<I extends Item, Draft, Patch> {
  readonly side: Side;

  /** Proves the credentials. `login` is our own account; null when the side has no way to tell. */
  hello(): Promise<{ readonly login: string | null; readonly version: string }>;

  /**
   * What changed since `cursor`, changes in the last second before it repeated, late ones included.
   * With null: nothing, and a cursor that stands at this moment.
   */
  changes(cursor: string | null): Promise<Changes<I>>;

  /** Everything the route may select, page by page, in an order that changes made meanwhile do not disturb. */
  list(page: string | null): Promise<Listing<I>>;

  /** Comments of several items in few requests. Items that cannot be reached are left out of the answer. */
  threads(asks: readonly ThreadAsk[]): Promise<readonly Thread[]>;

  probe(ref: number): Promise<Probe<I>>;

  create(draft: Draft): Promise<Outcome<I>>;

  /** Changes `seen` by `patch`: `stale` when what the patch touches no longer is as seen. One request writes. */
  update(seen: I, patch: Patch): Promise<Outcome<I>>;

  /** @param isMarkdown whether the text is Markdown, on a tracker that takes both */
  comment(ref: number, text: string, isMarkdown?: boolean): Promise<Outcome<Comment>>;
}

export interface TrackerReplica extends Replica<Bug, BugDraft, BugPatch> {
  readonly side: 'tracker';
  vocabulary(): Promise<Vocabulary>;

  /** Bugs by their ids, many in a request, as `probe` shows one: no list, which may lag behind. What cannot be reached is left out. */
  bugs(refs: readonly number[]): Promise<readonly Bug[]>;

  /** What was changed of these bugs in this second or later. What cannot be reached is left out. */
  history(refs: readonly number[], sinceAt: number): Promise<readonly PastChange[]>;

  /** Whether there is such a comment, be it one that we may not see. */
  hasComment(id: number): Promise<boolean>;
}

export interface GithubReplica extends Replica<Issue, IssueDraft, IssuePatch> {
  readonly side: 'github';

  /**
   * Issues made at `sinceAt` (epoch milliseconds, by our clock) or later, also those that lists do not show yet, but for those that `isKnown`.
   * Throws `SideError`.
   */
  madeSince(sinceAt: number, isKnown: (number: number) => boolean): Promise<readonly Issue[]>;

  /**
   * Replaces the text of a comment on an issue: `stale` where what stands there may not be replaced, by a look just before the write.
   * `gone` when the comment is not there, or its issue is not.
   */
  rewrite(ref: number, comment: number, text: string, mayReplace: (body: string) => boolean): Promise<Outcome<Comment>>;

  /** Deletes a comment. One that is not there any more is applied; `gone` when the issue cannot be reached. */
  erase(ref: number, comment: number): Promise<Outcome<null>>;

  /**
   * Folds a comment away, or shows it again with null; as it is already is applied, and nothing is written. `gone` when the comment is not
   * there, or its issue is not.
   */
  minimize(ref: number, comment: number, minimize: MinimizeReason | null): Promise<Outcome<null>>;

  /** Locks an issue, or unlocks it; as it is already is applied. */
  lock(ref: number, isLocked: boolean): Promise<Outcome<null>>;

  /** Who last did this to a label of an issue, or to its type; null when it is not told. Throws `SideError` when the side is out of reach. */
  whoLabeled(ref: number, deed: LabelEvent): Promise<Person | null>;

  /** The fields that its organisation offers for issues; null where the owner is none, or our account may not list them. Throws `SideError`. */
  fields(): Promise<readonly IssueField[] | null>;
}

/**
 * The tracker as anybody sees it: every request travels without credentials. What it does not show is not public, whatever the bridge's
 * own account sees. Reads of lists throw `SideError`; bugs that are not shown are left out of the answers, which is no error.
 */
export interface AnonymousReader {
  /** Whether the tracker shows anything at all to readers without an account. */
  isServed(): Promise<boolean>;
  bugs(ids: readonly number[]): Promise<ReadonlyMap<number, Bug>>;
  comments(bugs: readonly number[]): Promise<ReadonlyMap<number, readonly Comment[]>>;
  /** Without contents. */
  attachments(bugs: readonly number[]): Promise<ReadonlyMap<number, readonly Attachment[]>>;
  /** The content of one attachment, as everybody can fetch it. */
  content(id: number): Promise<Outcome<Uint8Array>>;
}

/** What the witness was last shown of a bug. */
export interface BugVisibility {
  readonly isShown: boolean;
  /** When that was found out. */
  readonly at: number;
  /** Digest of the bug, as our own account saw it, for which this was found out; another version has to be proved again. */
  readonly of: string;
  /** The further fields in words as the witness was shown them: those that only some may see are not here. */
  readonly details: Readonly<Record<string, readonly string[]>>;
  /** The names of the fields besides that stand for labels, as far as the witness was shown them. */
  readonly labels: readonly string[];
}
