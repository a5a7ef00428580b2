import type { Side } from './side.ts';

/** A word from a side that something about one item has changed. It says where to look and nothing else: what is true, reading tells. */
export interface Hint {
  readonly side: Side;
  /** The number of the bug or the issue. */
  readonly ref: number;
  /** `owner/name` of the issue; null for a bug. */
  readonly repo: string | null;
  /** Whether a comment was written or edited, so that its thread is to be read too. */
  readonly isThread: boolean;
}
