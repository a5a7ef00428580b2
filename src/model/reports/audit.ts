import type { Side } from '../ids.ts';

/**
 * Why an item of the tracker may be on GitHub, or that it may not:
 *
 *   shown     the anonymous reader could see it
 *   unproved  its visibility has not been checked, for instance after a lost database; the next sweep checks it
 *   trusted   the tracker does not call it private, and the route asks for no more (`visibilityCheck: none`)
 *   given-up  one end was deleted or is out of reach, and the other is never written again
 *   to-go     it is private, or no longer public: the next cycle withdraws it
 *   refuted   the anonymous reader cannot see it now (`--against anonymous`)
 */
export type Ground = 'shown' | 'unproved' | 'trusted' | 'given-up' | 'to-go' | 'refuted';

export interface AuditItem {
  readonly what: 'issue' | 'field' | 'comment' | 'remark' | 'file';
  /** Its name for people: `comment 3`, `attachment 9 (crash.log)`. */
  readonly name: string;
  /** The id of the comment or attachment on the tracker; null for other items. */
  readonly source: number | null;
  readonly ground: Ground;
}

/** Items that were withdrawn from GitHub, or restored, at one time. */
export interface AuditedWithdrawal {
  readonly at: number;
  readonly kind: 'withdraw' | 'restore';
  readonly why: string | null;
  readonly isIssue: boolean;
  readonly comments: number;
  readonly files: number;
  /** Where the contents of files can still be found, in words; null if nowhere. */
  readonly left: string | null;
}

/** One bug: its items on GitHub, and its withdrawals. */
export interface AuditedPair {
  /** Null for files in the attachment store that name no bug. */
  readonly bug: number | null;
  /** `owner/name#5` */
  readonly issue: string;
  readonly origin: Side;
  /** When the anonymous reader last saw the bug, in a version that was to be published; null if unknown. */
  readonly checkedAt: number | null;
  /** Why the bug is not public, or why the pair was given up; null for an ordinary pair. */
  readonly why: string | null;
  /** True while the issue shows the neutral line. */
  readonly isWithdrawn: boolean;
  readonly published: readonly AuditItem[];
  readonly withdrawals: readonly AuditedWithdrawal[];
  /** Why nothing could be said of the pair; absent otherwise. */
  readonly unjudged?: string;
}

/** Whether GitHub shows an item that it should not. */
export const isExposed = ({ published }: AuditedPair): boolean =>
  published.some(({ ground }) => ground === 'to-go' || ground === 'refuted');
