import type { Attachment } from './attachment.ts';
import type { Bug, Comment } from './item.ts';
import type { Outcome } from './outcome.ts';

/**
 * The tracker as anybody sees it: every request travels without credentials. What it does not show is not public, whatever the bridge's
 * own account sees. Reads of lists throw `SideError`; bugs that are not shown are left out of the answers, which is no error.
 */
export interface Witness {
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
export interface BugProof {
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
