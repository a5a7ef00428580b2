import type { Side } from './ids.ts';
import type { FieldName } from './item.ts';
import type { Conflict, Operation, Skip } from './operation.ts';
import type { Failed } from './outcome.ts';
import type { LinkCount, OpenCount, OutboxState, Refused } from './store.ts';

/** How one route stands, by what the state database remembers. */
export interface RouteStatus {
  readonly route: string;
  readonly product: string;
  readonly repo: string;
  /** True when nothing is waiting, in doubt, parked, refused, failing or undecided. */
  readonly isInStep: boolean;
  /** How long ago the side was read that was read longest ago; null before the first time. */
  readonly lagMs: number | null;
  /** True when a person has to act before the route can be in step. */
  readonly needsPerson: boolean;
  readonly links: LinkCount;
  readonly outbox: Readonly<Record<OutboxState, number>>;
  readonly parked: readonly Stuck[];
  /** Requests whose outcome is not known yet. */
  readonly doubts: readonly Stuck[];
  readonly conflicts: readonly (Conflict & { readonly about: string })[];
  readonly skips: readonly Skip[];
  /** How many conflicts and skips wait for a person, also of those that are not listed. */
  readonly open: OpenCount;
  /** How many comments the tracker said it had stored and has not shown when they were looked for. */
  readonly unshown: number;
  /** What the brake holds back; the oldest first. */
  readonly refusals: readonly Refused[];
  /** What people changed on the mirror of a one-way route within the last day, and was put right there; the newest first. */
  readonly corrected: readonly Corrected[];
  /** Nothing of the route is carried over: its last cycle failed, the state cannot be written, or the brake holds something back. */
  readonly isHalted: boolean;
  readonly failures: readonly Failing[];
  /** What was taken off GitHub because it is not for other eyes any more. */
  readonly withdrawn: { readonly issues: number; readonly files: number };
  readonly sides: Readonly<Record<Side, SideStatus>>;
}

export interface Corrected {
  readonly about: string;
  /** The side that was put right. */
  readonly on: Side;
  readonly fields: readonly FieldName[];
  readonly at: number;
}

/** What failed, and what a person can do about it. */
export interface Failing extends Failed {
  readonly advice: string;
  readonly needsPerson: boolean;
}

export interface Stuck {
  /** By which `retry` names it. */
  readonly number: number;
  readonly about: string;
  readonly operation: Operation;
  readonly attempts: number;
  readonly why: string | null;
}

export interface SideStatus {
  /** When it was last read, by our clock; null before the first time. */
  readonly polledAt: number | null;
  /** True once everything that stood there at the start has been read. */
  readonly isComplete: boolean;
  readonly sweptAt: number | null;
  readonly pause: { readonly until: number; readonly why: string } | null;
  readonly budgets: readonly { readonly name: string; readonly left: number; readonly max: number; readonly freeAt: number | null }[];
}
