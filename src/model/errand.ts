import type { Side } from './side.ts';

/**
 * Something that a person asks of the bridge from outside its process:
 *
 *   retry    operations that are parked or wait for their time get another chance at once
 *   resync   one bug or issue, and what it is linked to, is read afresh and planned anew
 */
export type Errand =
  | { readonly kind: 'retry'; readonly route: string; readonly numbers: readonly number[] }
  | { readonly kind: 'resync'; readonly route: string; readonly side: Side; readonly ref: number };

/** Where errands wait until the process that may write the state takes them up. They survive that process. */
export interface ErrandBox {
  add(errand: Errand): void;
  /** Those of a route, the oldest first. `done` forgets one; doing it twice does no harm. */
  of(route: string): readonly WaitingErrand[];
}

export interface WaitingErrand {
  readonly errand: Errand;
  done(): void;
}
