import type { Side } from './ids.ts';
import type { FieldName } from './item.ts';

/**
 * The result of a write. Expected results of the outside world are values; only our own bugs are thrown.
 *
 *   applied       the server did it; `item` is what it answered; `foreign` are fields that another user changed between
 *                 our read and our write, and that the server left so
 *   stale         the item has changed since it was read; nothing was written; plan again
 *   later         nothing was written; not before `at` (epoch milliseconds); `wholeSide` when the side itself asks for
 *                 a backoff, `isTooFast` when it does because of what was written lately
 *   refused       nothing was written, and the same request will be refused again; `isUnexplained` if the side does not
 *                 say which part of it it rejects, so that a smaller request may be accepted; `isOfEverything` if
 *                 it refuses every other write there, too; `isOfValue` if it rejects the value as such, and not who
 *                 sets it, nor when
 *   gone          the target is deleted, hidden or moved; nothing was written
 *   unauthorized  the side does not accept our credentials
 *   unknown       it may or may not have been done: read before sending again; with `at`, the side asks for a backoff
 */
export type Outcome<T> =
  | {
      readonly kind: 'applied';
      readonly item: T;
      readonly lost?: readonly Lost[];
      readonly foreign?: readonly FieldName[];
    }
  | { readonly kind: 'stale'; readonly why: string }
  | {
      readonly kind: 'later';
      readonly at: number | null;
      readonly wholeSide: boolean;
      readonly why: string;
      readonly isTooFast?: true;
    }
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly isUnexplained?: true;
      readonly isOfEverything?: true;
      readonly isOfValue?: true;
    }
  | { readonly kind: 'gone'; readonly gone: Gone }
  | { readonly kind: 'unauthorized'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string; readonly at?: number };

/** Asked before each further request of one write; if not, the write stays unfinished, and its outcome is unknown. */
export type MayGoOn = () => boolean;

export type NotApplied = Exclude<Outcome<never>, { readonly kind: 'applied' }>;

/** A value that was written between our read and our write, and that our write replaced. */
export interface Lost {
  readonly field: string;
  readonly value: string;
}

export interface IssuePlace {
  /** `owner/name` */
  readonly repo: string;
  readonly number: number;
}

/** Why an item cannot be reached any more. `deleted` and `missing` are final. */
export interface Gone {
  readonly kind: 'deleted' | 'missing' | 'hidden' | 'moved';
  readonly why: string;
  /** True for a number that a pull request has: no issue has it, and none will. */
  readonly isPull?: true;
  /** The new address, as the side gives it. */
  readonly address?: string;
  /** Where an issue was transferred to, if the side says so. */
  readonly place?: IssuePlace;
}

/** Whether the side has nothing of that number. */
export const isUnknownNumber = ({ kind, isPull }: Gone): boolean =>
  (kind === 'missing' || kind === 'deleted') && isPull !== true;

/** The result of reading a single item. */
export type Probe<I> = { readonly kind: 'there'; readonly item: I } | { readonly kind: 'gone'; readonly gone: Gone };

/**
 * Thrown by reads. `later` ends the cycle of the route, and the next one tries again; the others need a person.
 */
export class SideError extends Error {
  readonly kind: 'later' | 'unauthorized' | 'refused';
  /** Epoch milliseconds before which the side does not want to be asked; null when it did not say. */
  readonly at: number | null;
  /** The side that answered so; null when unknown. */
  readonly side: Side | null;

  constructor(
    kind: SideError['kind'],
    message: string,
    options: { at?: number | null; side?: Side; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'SideError';
    this.kind = kind;
    this.at = options.at ?? null;
    this.side = options.side ?? null;
  }
}

/** The readers of a side are others than the route allows: none of its items is the cause. */
export class NotPublic extends SideError {
  constructor(message: string, side: Side) {
    super('refused', message, { side });
  }
}

/** What a side shows cannot be, as far as the state knows: the route stops until a person has looked. */
export class Halted extends SideError {
  constructor(message: string, side: Side) {
    super('refused', message, { side });
    this.name = new.target.name;
  }
}

/** A side has given the number of a known item to another one: it went back. */
export class WentBack extends Halted {}

/** Our own account wrote what this bridge did not write: another one writes under its name. */
export class SecondBridge extends Halted {}

/**
 * Why the work on a route failed.
 *
 *   later         a side asks for time, or did not answer
 *   unauthorized  a side does not accept our credentials
 *   refused       a side does not allow it, or the route may not run
 *   state         the state file cannot be used
 *   fault         a bug in the program itself
 */
type FailureKind = 'later' | 'unauthorized' | 'refused' | 'state' | 'fault';

/** Work on a whole route that failed, and has not succeeded since. */
export interface Failed {
  /**
   * A cycle, a full comparison, any work that has to write the state, a look at the clocks, or pairs of a route that
   * the configuration does not have.
   */
  readonly of: 'cycle' | 'sweep' | 'state' | 'clock' | 'stray';
  readonly kind: FailureKind;
  /** The side that caused it; null when neither did, or when unknown. */
  readonly side: Side | null;
  /** The message of the last failure. */
  readonly why: string;
  /** The first and the last failure since it last succeeded. Epoch milliseconds. */
  readonly sinceAt: number;
  readonly at: number;
  /** How often in a row. */
  readonly count: number;
}

/** The failures of each route, until the same work succeeds. */
export interface Failures {
  /**
   * Adds to the count of earlier ones. If the state itself cannot be written, it is kept in memory while the process
   * lives.
   */
  save(route: string, failed: Pick<Failed, 'of' | 'kind' | 'side' | 'why' | 'at'>): void;
  remove(route: string, of: Failed['of']): void;
  ofRoute(route: string): readonly Failed[];
}

/**
 * The work on an item that failed.
 *
 *   read      it, its comments or its files were read and stored
 *   plan      it was compared with its counterpart
 *   write     an operation of its plan was rendered, sent or recorded
 *   withdraw  what of it is not public was taken off GitHub
 */
export type Stage = 'read' | 'plan' | 'write' | 'withdraw';

/**
 * Why an item was set aside.
 *
 *   fault  a bug in the program itself
 *   hang   a bug in the program, too: it was still at work on the item when it was stopped
 *   side   the side fails on this item, and answers about others
 */
type SetAsideCause = 'fault' | 'hang' | 'side';

/**
 * A bug or an issue, or one of its comments, that is left alone because work on it failed, so that everything else goes
 * on. It is tried again when its content changes, when a person asks, by another version of the program, and at
 * `retryAt`.
 */
export interface SetAside {
  readonly route: string;
  readonly side: Side;
  /** The bug's id or the issue's number. */
  readonly ref: number;
  /** The number of the one comment that is left alone, `bodyId` for the body of an issue; absent for the whole item. */
  readonly comment?: number;
  readonly stage: Stage;
  readonly cause: SetAsideCause;
  /** What happened, for people. Never content of the item. */
  readonly why: string;
  /** Since when it has been set aside. Epoch milliseconds. */
  readonly sinceAt: number;
  /** How often in a row it failed. */
  readonly count: number;
  /** When it is tried again by itself; null for never. */
  readonly retryAt: number | null;
  /** The content that failed, as a digest; other content is tried. */
  readonly content: string;
  /** The version of the program that failed; another one tries it once more. */
  readonly version: string;
}

export interface BlockedRow extends Pick<SetAside, 'route' | 'side' | 'ref' | 'version'> {
  readonly row: string;
}

/** The items and comments that are set aside, by route, side and number. */
export interface SetAsides {
  /** Adds to the count of the item's earlier failures, whose `sinceAt` it keeps. */
  put(item: Omit<SetAside, 'sinceAt' | 'count'> & { readonly at: number }): void;
  /** Changes what is known of an item that is set aside, and counts no failure. */
  revise(item: SetAside): void;
  /** Notes a row of an answer on which a process was blocked, as a digest. */
  block(item: BlockedRow): void;
  /** Whether a process of this version was blocked on it. */
  isBlocked(item: BlockedRow): boolean;
  /** Has all rows of the item read again. Returns whether there are any. */
  unblock(route: string, side: Side, ref: number): boolean;
  get(route: string, side: Side, ref: number, comment?: number): SetAside | null;
  /** Those of the item's comments that are set aside by themselves. */
  comments(route: string, side: Side, ref: number): readonly SetAside[];
  /** The oldest first. */
  ofRoute(route: string): readonly SetAside[];
  remove(route: string, side: Side, ref: number, comment?: number): void;
}
