import type { IssueNumber, LinkId } from './ids.ts';
import type { CloseReason, MinimizeReason } from './item.ts';
import type { NotApplied, Outcome } from './outcome.ts';

/**
 * How a migration makes issues.
 *
 *   import  by GitHub's issue import, which only administrators may use
 *   api     through the normal interface, within GitHub's limits on content
 */
export type Writer = 'import' | 'api';

/** A whole issue with its dated comments, as GitHub imports it in one request. All times are epoch milliseconds. */
export interface ImportDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** One login at most; the import API takes no more. */
  readonly assignee?: string;
  /** A title; created if the repository does not have it. */
  readonly milestone?: string;
  /** Closed as completed; an import cannot give another reason. */
  readonly isClosed: boolean;
  readonly createdAt: number;
  readonly changedAt: number;
  /** In the order in which they are to appear. */
  readonly comments: readonly ImportComment[];
}

export interface ImportComment {
  readonly body: string;
  readonly createdAt: number;
}

/**
 *   pending   accepted, and not yet done; it may take minutes, and others may overtake it
 *   imported  the issue exists
 *   failed    there is no issue
 */
type ImportState = 'pending' | 'imported' | 'failed';

/** The status of one import. Nothing in it says which draft it was made from. */
export interface ImportJob {
  readonly id: number;
  readonly state: ImportState;
  /** When it was accepted, by GitHub's clock. */
  readonly createdAt: number;
  /** Null until it is imported. */
  readonly issue: IssueNumber | null;
  /** Fields that GitHub rejected, such as `assignee`; empty unless it failed. */
  readonly faults: readonly string[];
  /** Why it failed, as text for people; null otherwise. */
  readonly why: string | null;
}

/**
 * What became of the request for an import. `unauthorized` with a `refusal`, which is what GitHub said, may concern our
 * account, the whole interface, or this draft alone: only other imports show which.
 */
export type Begun =
  | Exclude<Outcome<ImportJob>, { readonly kind: 'unauthorized' }>
  | { readonly kind: 'unauthorized'; readonly why: string; readonly refusal: string | null };

/** One issue to close for a reason that an import cannot give. */
export interface Closing {
  readonly issue: IssueNumber;
  readonly reason: CloseReason;
  /** The issue that it duplicates, if known. */
  readonly duplicateOf: IssueNumber | null;
}

/** One comment to minimize. */
export interface Minimizing {
  readonly issue: IssueNumber;
  readonly comment: number;
  readonly minimize: MinimizeReason;
}

/** The result of a batch: only what the answers show as done is done. */
export interface Batch {
  readonly done: ReadonlySet<number>;
  /** The failure that kept the rest from being done; null if there was none. */
  readonly failure: NotApplied | null;
}

/** The repository as a place to import to. */
export interface ImportHome {
  /** The repository's page; append `/issues/` and a number for an issue's page. */
  readonly url: string;
  /** Whether our account may import; null when GitHub does not say. */
  readonly mayImport: boolean | null;
}

/**
 * GitHub's import API for whole issues: no notifications, original dates, and exempt from the limit on creating
 * content.
 */
export interface Importer {
  /** Throws `SideError`. */
  home(): Promise<ImportHome>;
  begin(draft: ImportDraft): Promise<Begun>;
  /** Every import whose state changed at this time or later. Throws `SideError`. */
  since(at: number): Promise<readonly ImportJob[]>;
  /**
   * Closes several issues in few requests; `done` holds their numbers. Issues already closed for that reason count as
   * done, so repeating it does no harm.
   */
  close(closings: readonly Closing[]): Promise<Batch>;
  /**
   * Minimizes up to 25 comments with one read and one write; `done` holds the ids of those that are now minimized for
   * that reason. The others are unchanged: not found, minimized for another reason, refused or put off.
   */
  minimize(minimizings: readonly Minimizing[]): Promise<Batch>;
}

/**
 * Imports that GitHub accepted, of operations that are still marked as sent: until the issues are read, nothing else
 * says what became of them.
 */
export interface TakenImports {
  /** @param number that of the operation in the outbox */
  take(number: number, job: ImportJob['id']): void;
  /** Records the issue that the import became. */
  land(number: number, issue: IssueNumber): void;
  /** The operation is about to be sent again. */
  forget(number: number): void;
  /** In the order in which they were planned. */
  ofRoute(route: string): readonly TakenImport[];
  ofLink(link: LinkId): TakenImport | null;
}

export interface TakenImport {
  /** That of the operation in the outbox. */
  readonly number: number;
  readonly link: LinkId;
  readonly job: ImportJob['id'];
  /** Null while GitHub has not said that it is done. */
  readonly issue: IssueNumber | null;
}

/** What a command does to a whole route, from its beginning until all of it is done, however often it is run. */
export interface Undertaking {
  readonly kind: 'migrate' | 'cutover';
  readonly begunAt: number;
  /** When its last run ended early; null while it is under way, and after a kill. */
  readonly stoppedAt: number | null;
}

export interface Undertakings {
  /** Goes on with the one that was begun, if there is one. */
  begin(route: string, kind: Undertaking['kind'], at: number): void;
  stop(route: string, kind: Undertaking['kind'], at: number): void;
  end(route: string, kind: Undertaking['kind']): void;
  /** The oldest first. */
  ofRoute(route: string): readonly Undertaking[];
  /** The links whose issues were created since it began. */
  made(route: string, kind: Undertaking['kind']): ReadonlySet<LinkId>;
}

/** The bugs that the cut-over closed, with their earlier status, so that it can be undone. */
export interface CutoverNotices {
  get(link: LinkId): CutoverNotice | null;
  save(notice: CutoverNotice): void;
  remove(link: LinkId): void;
  /** In the order of the links. */
  ofRoute(route: string): readonly CutoverNotice[];
}

export interface CutoverNotice {
  readonly link: LinkId;
  /** The open status that the bug had before. */
  readonly was: string;
  readonly status: string;
  readonly resolution: string;
  /** False from the moment the request may leave until it is known to be done. */
  readonly isDone: boolean;
}
