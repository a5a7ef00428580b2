import type { Side } from './side.ts';

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
