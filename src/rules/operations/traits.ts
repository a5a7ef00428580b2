import type { CommentLinkId, Side } from '../../model/ids.ts';
import type { Operation, OperationKind } from '../../model/plan/operation.ts';
import type { Cost } from '../../model/runtime.ts';
import type { LedgerLine } from '../../model/store.ts';

/**
 * The properties of a kind of operation. The file of the same name in `sync/perform/operations` performs it.
 */
export interface OperationTraits<Kind extends OperationKind> {
  /** Its place among the operations of a link: lower ones go first. */
  readonly rank: number;
  /** What it costs each side. */
  readonly cost: Readonly<Record<Side, Cost>>;
  /** Whether the brake counts it: it changes mirrored content because people changed the original. */
  isChange(operation: Operation<Kind>): boolean;
  readonly doubt: Doubt;
  /** The copy that it changes. People may have deleted the copy although the issue still exists. */
  copyIn(operation: Operation<Kind>): CommentLinkId | null;
  /** The name of a write that the tracker reported as stored and never showed. Never asked for writes to GitHub. */
  unshown(operation: Operation<Kind>): string;
  /** The operation without anything that people wrote, for reports of a bug that is not public. */
  redacted(operation: Operation<Kind>): Operation<Kind>;
  /** Begins a message: "a comment on GitHub was parked". */
  readonly noun: string;
  /** How a plan counts it, for one and for many. */
  readonly totals: Readonly<Record<Side, readonly [one: string, many: string]>>;
  planned(operation: Operation<Kind>): string;
  done(operation: Operation<Kind>): string;
  /** Its line in the ledger. The details may come from an older version of the program. */
  inLedger(detail: LedgerLine['detail'], on: Side | null): string;
}

/**
 * How the bridge finds the outcome of a request without an answer. Lists and single reads show new bugs and issues.
 */
interface Doubt {
  /** Whether its bug or issue is read: always, or for a comment on GitHub only if no read has shown it yet. */
  readonly item: 'always' | 'unless seen' | 'no';
  /** How much of the thread is read: only a complete read shows that something is missing. */
  readonly thread: 'whole' | 'since' | 'no';
  /** True if it is planned again from what was seen, whatever the outcome; other requests are sent again unchanged. */
  readonly isPlannedAfresh: boolean;
}

const never = (): boolean => false;
const none = (): null => null;
const same = <Whole>(operation: Whole): Whole => operation;

/** The cost of a creation, and of any other write. */
export const creation: Readonly<Record<Side, Cost>> = { tracker: 'create', github: 'create' };
export const edit: Readonly<Record<Side, Cost>> = { tracker: 'edit', github: 'edit' };

/** Defaults for kinds that change no mirrored content and no copy, and carry no text by people. */
export const plain = { isChange: never, copyIn: none, redacted: same };

/** The same words for both sides. */
export const onBoth = (one: string, many: string): OperationTraits<OperationKind>['totals'] => ({
  tracker: [one, many],
  github: [one, many],
});
