import type { IssueNumber, LinkId } from './ids.ts';
import type { CloseReason, MinimizeReason } from './item.ts';
import type { NotApplied, Outcome } from './outcome.ts';

/** A whole issue with what was said on it, and when, as GitHub imports it in one request. All times are epoch milliseconds. */
export interface ImportDraft {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** One login at most; the interface takes no more. */
  readonly assignee?: string;
  /** A title, which is made where the repository does not have it. */
  readonly milestone?: string;
  /** Closed as completed; it can say no other reason. */
  readonly isClosed: boolean;
  readonly createdAt: number;
  readonly changedAt: number;
  /** In the order in which they are to stand. */
  readonly comments: readonly ImportComment[];
}

export interface ImportComment {
  readonly body: string;
  readonly createdAt: number;
}

/**
 *   pending   taken, and not yet done; it may take minutes, and others may overtake it
 *   imported  the issue stands
 *   failed    nothing stands
 */
export type ImportState = 'pending' | 'imported' | 'failed';

/** What became of one import. Nothing in it tells which draft it was made from. */
export interface ImportJob {
  readonly id: number;
  readonly state: ImportState;
  /** When it was taken, by GitHub's clock. */
  readonly createdAt: number;
  /** Null until it is imported. */
  readonly issue: IssueNumber | null;
  /** Fields that GitHub finds fault with, such as `assignee`; empty unless it failed. */
  readonly faults: readonly string[];
  /** Why it failed, for people; null otherwise. */
  readonly why: string | null;
}

/** One issue to close for a reason that an import cannot say. */
export interface Closing {
  readonly issue: IssueNumber;
  readonly reason: CloseReason;
  /** The issue that it duplicates, where that is known. */
  readonly duplicateOf: IssueNumber | null;
}

/** One comment to fold away. */
export interface Minimizing {
  readonly issue: IssueNumber;
  readonly comment: number;
  readonly minimize: MinimizeReason;
}

/** What became of many that went together: only what the answers show as done is done. */
export interface Batch {
  readonly done: ReadonlySet<number>;
  /** What hindered the rest; null where nothing did. */
  readonly failure: NotApplied | null;
}

/** The repository as a place to import to. */
export interface ImportHome {
  /** Its page; an issue's page is `/issues/` and its number below it. */
  readonly url: string;
  /** Whether our account may import; null when GitHub does not tell. */
  readonly mayImport: boolean | null;
}

/** GitHub's door for whole issues: no notifications, dates of its own, and not under the limit on content. */
export interface Importer {
  /** Throws `SideError`. */
  home(): Promise<ImportHome>;
  begin(draft: ImportDraft): Promise<Outcome<ImportJob>>;
  /** Every import whose state changed at this time or later. Throws `SideError`. */
  since(at: number): Promise<readonly ImportJob[]>;
  /** Closes several issues in few requests; `done` are their numbers. What is closed for that reason already stays so; doing it again does no harm. */
  close(closings: readonly Closing[]): Promise<Batch>;
  /**
   * Folds up to 25 comments away, by one look and one write; `done` are the ids of those that stand folded so. The others are as they were:
   * not found, folded for another reason, refused or put off.
   */
  minimize(foldings: readonly Minimizing[]): Promise<Batch>;
}

/** Which bugs the cut-over closed, and what they were before, so that it can be taken back. */
export interface CutoverNotices {
  get(link: LinkId): CutoverNotice | null;
  save(cutoverNotice: CutoverNotice): void;
  remove(link: LinkId): void;
  /** In the order of the links. */
  ofRoute(route: string): readonly CutoverNotice[];
}

export interface CutoverNotice {
  readonly link: LinkId;
  /** The open status that the bug had. */
  readonly was: string;
  readonly status: string;
  readonly resolution: string;
  /** False from the moment in which the request may leave until it is known that it was done. */
  readonly isDone: boolean;
}
