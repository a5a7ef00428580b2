import type { Pause } from './control.ts';
import type { LinkId, Side } from './ids.ts';
import type { FieldName } from './item.ts';
import type { Failed, SetAside } from './outcome.ts';
import type { Conflict, Operation, Skip } from './plan/operation.ts';
import type { OutboxState } from './plan/outbox.ts';
import type { LinkCount, OpenCount, Refused } from './store.ts';
import type { Retirement } from './survey.ts';

/**
 * A route in one word:
 *
 *   off              the configuration switches it off
 *   stopped          nothing is mirrored until a person acts: refused credentials, the brake, a state that cannot be
 *                    written
 *   needs you        something is parked or undecided; the rest is mirrored
 *   trying again     the last cycle failed, and the next one may succeed
 *   paused           a person has paused it
 *   not read lately  a side was not read for too long: the bridge may have stopped
 *   catching up      something waits
 *   in step          none of these
 */
export type Standing =
  | 'off'
  | 'stopped'
  | 'needs you'
  | 'trying again'
  | 'paused'
  | 'not read lately'
  | 'catching up'
  | 'in step';

/** The status of one route, according to the state database. */
export interface RouteStatus {
  readonly route: string;
  readonly standing: Standing;
  readonly product: string;
  readonly repo: string;
  /** False for a route that the configuration switches off: nothing about it needs a person or fails. */
  readonly isEnabled: boolean;
  /** Whom to ask about it, as the configuration says. */
  readonly contact: string | null;
  /**
   * True when nothing is waiting, in doubt, parked, refused, failing or undecided, and the route runs and was read
   * lately.
   */
  readonly isInStep: boolean;
  /** Since when a person has paused the route; null while it runs. `status --json` prints it under this name. */
  readonly rest: Pause | null;
  /** The time since the last read of whichever side was read longer ago; null before the first. */
  readonly lagMs: number | null;
  /** True when a side was not read for so long that the status means little, or never. */
  readonly isStale: boolean;
  /** True when a person has to act before the route can be in step. */
  readonly needsPerson: boolean;
  readonly links: LinkCount;
  readonly outbox: Readonly<Record<OutboxState, number>>;
  readonly parked: readonly Stuck[];
  /** Requests whose outcome is not yet known. */
  readonly doubts: readonly Stuck[];
  readonly conflicts: readonly (Conflict & { readonly about: string })[];
  readonly skips: readonly Skip[];
  /** How many conflicts and skips wait for a person, including those that are not listed. */
  readonly open: OpenCount;
  /** How many comments the tracker reported as stored and then did not show. */
  readonly unshown: number;
  /** The plans that the brake holds back; the oldest first. */
  readonly refusals: readonly Refused[];
  /** Edits on the mirror of a one-way route that the bridge corrected within the last day; the newest first. */
  readonly corrected: readonly Corrected[];
  /**
   * Nothing of the route is mirrored: its last cycle failed, the state cannot be written, or the brake holds something
   * back.
   */
  readonly isHalted: boolean;
  /** About how long the limits on creations keep GitHub behind; 0 if they do not. */
  readonly catchUpMs: number;
  readonly failures: readonly Failing[];
  /** Bugs and issues that are left alone because work on them failed; everything else goes on. */
  readonly setAside: readonly SetAsideItem[];
  /**
   * Since when all mirrored bugs were looked at, whether they are still shown; null before the first lap is over, or
   * for a route that publishes nothing.
   */
  readonly lookedAt: number | null;
  /** How much was taken off GitHub because it is no longer public. */
  readonly withdrawn: { readonly issues: number; readonly files: number };
  readonly sides: Readonly<Record<Side, SideStatus>>;
}

export interface Corrected {
  readonly about: string;
  /** The side that was corrected. */
  readonly on: Side;
  readonly fields: readonly FieldName[];
  readonly at: number;
}

/** A failure, and what a person can do about it. */
export interface Failing extends Failed {
  readonly advice: string;
  readonly needsPerson: boolean;
}

/** An item that is set aside, and what a person can do about it. */
export interface SetAsideItem extends SetAside {
  readonly about: string;
  /** Null if the route has no link of it. */
  readonly link: LinkId | null;
  readonly advice: string;
}

export interface Stuck {
  /** The number to give to `retry`. */
  readonly number: number;
  readonly about: string;
  readonly operation: Operation;
  readonly attempts: number;
  readonly why: string | null;
}

export interface SideStatus {
  /** The last read, by our clock; null before the first. */
  readonly polledAt: number | null;
  /** True when that is too long ago, or never was. */
  readonly isStale: boolean;
  /** True once everything that was there at the start has been read. */
  readonly isComplete: boolean;
  readonly sweptAt: number | null;
  readonly pause: { readonly until: number; readonly why: string } | null;
  /** What the side announced of the interface version that we use; null for nothing. */
  readonly retirement: Retirement | null;
  readonly budgets: readonly {
    readonly name: string;
    readonly left: number;
    readonly max: number;
    readonly freeAt: number | null;
  }[];
}
