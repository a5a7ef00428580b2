import type { Attachment } from './attachment.ts';
import type { Bug, Comment } from './item.ts';
import type { Outcome } from './outcome.ts';
import type { InTime } from './runtime.ts';
import type { Look, LookAsk } from './survey.ts';

/** Whether a bug is shown to a reader, or kept from it, or does not exist. */
export type Access = 'shown' | 'hidden' | 'missing';

/**
 * The tracker as anyone sees it: every request is sent without credentials. Anything it does not show is not public,
 * whatever the bridge's own account sees. Reads of lists throw `SideError`; bugs that are not shown are left out of the
 * answers, which is no error.
 */
export interface AnonymousReader {
  /** Whether the tracker shows anything to readers without an account. */
  isServed(): Promise<boolean>;
  /**
   * The bugs that are shown; null for one on which the tracker fails, which does not say that it is hidden.
   * @param young those made so recently that a search may not find them yet: each that is missing is asked for by its
   *   number
   */
  bugs(ids: readonly number[], young?: ReadonlySet<number>, inTime?: InTime): Promise<ReadonlyMap<number, Bug | null>>;
  /** Which of these bugs are shown now: one request as long as all of them are. */
  lookAt(ask: LookAsk, inTime?: InTime): Promise<Look>;
  /** Asks for one bug by its number, which the tracker answers without a search. */
  access(bug: number): Promise<Access>;
  comments(bugs: readonly number[], inTime?: InTime): Promise<ReadonlyMap<number, readonly Comment[]>>;
  /** Without contents. */
  attachments(bugs: readonly number[], inTime?: InTime): Promise<ReadonlyMap<number, readonly Attachment[]>>;
  /** The content of one attachment, as anyone can fetch it. */
  content(id: number): Promise<Outcome<Uint8Array>>;
}

/** What the anonymous reader last saw of a bug. */
export interface BugVisibility {
  readonly isShown: boolean;
  /** When it looked. */
  readonly at: number;
  /** Digest of the bug, as our own account saw it, for which this holds; another version has to be checked again. */
  readonly of: string;
  /** The further fields as text, as the anonymous reader saw them; restricted ones are not here. */
  readonly details: Readonly<Record<string, readonly string[]>>;
  /** The names of the other fields that show as labels, as far as the anonymous reader saw them. */
  readonly labels: readonly string[];
  /** The name of who filed the bug, as it was shown; absent if it was not, or before it was looked at. */
  readonly creator?: string;
}
