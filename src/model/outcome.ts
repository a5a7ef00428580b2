import type { Side } from './side.ts';

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
