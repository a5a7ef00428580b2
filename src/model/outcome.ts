import type { Side } from './ids.ts';

/**
 * What a write came to. Expected results of the outside world are values; only our own bugs are thrown.
 *
 *   applied       the server did it; `item` is what it answered
 *   stale         what was read has changed meanwhile; nothing was written; plan again
 *   later         nothing was written; not before `at` (epoch milliseconds); `wholeSide` when the side itself asks for a pause
 *   refused       nothing was written, and the same request will be refused again; `isUnexplained` where the side does not say what of it
 *                 it minds, and less of it may be taken
 *   gone          the target is deleted, hidden or moved; nothing was written
 *   unauthorized  the side does not accept our credentials
 *   unknown       it may or may not have been done: look before sending again; with `at` the side asks for a pause besides
 */
export type Outcome<T> =
  | { readonly kind: 'applied'; readonly item: T; readonly lost?: readonly Lost[] }
  | { readonly kind: 'stale'; readonly why: string }
  | { readonly kind: 'later'; readonly at: number | null; readonly wholeSide: boolean; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isUnexplained?: true }
  | { readonly kind: 'gone'; readonly gone: Gone }
  | { readonly kind: 'unauthorized'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string; readonly at?: number };

export type NotApplied = Exclude<Outcome<never>, { readonly kind: 'applied' }>;

/** A value somebody wrote between our read and our write, which our write replaced. */
export interface Lost {
  readonly field: string;
  readonly value: string;
}

/** Why an item cannot be reached any more. `deleted` and `missing` are final. */
export interface Gone {
  readonly kind: 'deleted' | 'missing' | 'hidden' | 'moved';
  readonly why: string;
}

/** What a single look at an item found. */
export type Probe<I> = { readonly kind: 'there'; readonly item: I } | { readonly kind: 'gone'; readonly gone: Gone };

/**
 * Thrown by reads. `later` ends the cycle of the route and is tried again; the others need a person.
 */
export class SideError extends Error {
  readonly kind: 'later' | 'unauthorized' | 'refused';
  /** Epoch milliseconds before which the side does not want to be asked; null when it did not say. */
  readonly at: number | null;
  /** The side that answered so; null when it is not told. */
  readonly side: Side | null;

  constructor(kind: SideError['kind'], message: string, options: { at?: number | null; side?: Side; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SideError';
    this.kind = kind;
    this.at = options.at ?? null;
    this.side = options.side ?? null;
  }
}

/**
 * Why the work on a route failed.
 *
 *   later         a side asks for time, or did not answer
 *   unauthorized  a side does not accept our credentials
 *   refused       a side does not let us do it, or the route may not run
 *   state         the state file cannot be used
 *   fault         a fault of the program itself
 */
export type FailureKind = 'later' | 'unauthorized' | 'refused' | 'state' | 'fault';

/** Work on a whole route that failed, and has not succeeded since. */
export interface Failed {
  /** A cycle, a full comparison, or whatever wants the state to be written. */
  readonly of: 'cycle' | 'sweep' | 'state';
  readonly kind: FailureKind;
  /** The side that it was about; null when it was none, or is not told. */
  readonly side: Side | null;
  /** What was said the last time. */
  readonly why: string;
  /** When it failed first and last since it last succeeded. Epoch milliseconds. */
  readonly sinceAt: number;
  readonly at: number;
  /** How often in a row. */
  readonly count: number;
}

/** The failures of each route, until the same work succeeds. */
export interface Failures {
  /** Counts on from an earlier one. Where the state itself cannot be written, it is remembered as long as the process lives. */
  save(route: string, failed: Pick<Failed, 'of' | 'kind' | 'side' | 'why' | 'at'>): void;
  remove(route: string, of: Failed['of']): void;
  ofRoute(route: string): readonly Failed[];
}
