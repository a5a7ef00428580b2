import type { Pause } from './control.ts';
import type { LinkId, Side } from './ids.ts';
import type { FieldName } from './item.ts';
import type { Undertaking } from './migration.ts';
import type { Failed, SetAside } from './outcome.ts';
import type { Conflict, Operation, Skip } from './plan/operation.ts';
import type { OutboxState } from './plan/outbox.ts';
import type { Unreached } from './reports/notice.ts';
import type { Direction } from './route.ts';
import type { LinkCount, OpenCount, Refused } from './store.ts';
import type { Retirement } from './survey.ts';

/**
 * A route in one word; of several that hold, the first counts:
 *
 *   off               the configuration switches it off
 *   failed            nothing crosses: its last cycle failed, or the state cannot be written
 *   refused           nothing crosses: the brake holds back its plan or its full comparison
 *   not read lately   a side was not read or compared for too long: the bridge may have stopped
 *   needs you         something is parked or undecided; the rest crosses
 *   set aside         work on an item failed, and it is left alone; the rest crosses
 *   paused            a person has paused it
 *   catching up       something waits
 *   nothing mirrored  there are bugs or issues, and none of them has a counterpart
 *   in step           none of these
 */
export const standings = [
  'off',
  'failed',
  'refused',
  'not read lately',
  'needs you',
  'set aside',
  'paused',
  'catching up',
  'nothing mirrored',
  'in step',
] as const;
export type Standing = (typeof standings)[number];

/** How a route stands, as every place shows it: the terminal, the pages, health checks, metrics and notices. */
export interface Verdict {
  readonly standing: Standing;
  /** What to think of it at first sight. */
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
  /** Without names, values or addresses, so that everyone may read it: `the tracker does not answer`. */
  readonly headline: string;
  /** How much is mirrored, and what of it waits: `46 of 49 mirrored, 39 writes to go`. */
  readonly counts: string;
  /** The facts, as sentences for the operator. */
  readonly facts: string;
  /** What a person has to do, as sentences; null for nothing. */
  readonly todo: string | null;
  /** Since when; null if nobody knows. */
  readonly sinceAt: number | null;
}

/** The status of one route, according to the state database. */
export interface RouteStatus {
  readonly route: string;
  readonly standing: Standing;
  readonly verdict: Verdict;
  /** `to-github` writes nothing to the tracker, `to-tracker` nothing to GitHub. */
  readonly direction: Direction;
  readonly product: string;
  readonly repo: string;
  /** The keys by which the route takes only some bugs or issues. */
  readonly filters: Readonly<Record<Side, readonly string[]>>;
  /** False for a route that the configuration switches off: nothing about it needs a person or fails. */
  readonly isEnabled: boolean;
  /** Whom to ask about it, as the configuration says. */
  readonly contact: string | null;
  /**
   * True when nothing is waiting, in doubt, parked, refused, failing or undecided, and the route runs and was read
   * lately.
   */
  readonly isInStep: boolean;
  /** What people asked for, and the running bridge has not done yet. */
  readonly queued: readonly Queued[];
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
  /** The first writes that a side did not take, and that are tried again. What they hold may be hidden by then. */
  readonly putOff: readonly Pick<Stuck, 'number' | 'about' | 'why'>[];
  /** What a command began on the whole route and has not finished. */
  readonly undertakings: readonly (Undertaking & {
    /** How many bugs it has closed. */
    readonly closed: number;
  })[];
  /** How many issues were imported and not read back yet. */
  readonly imported: number;
  /** Requests whose outcome is not yet known; not the imports of a migration. */
  readonly doubts: readonly Stuck[];
  readonly conflicts: readonly OpenConflict[];
  readonly skips: readonly LeftAlone[];
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
  /** Whether it takes longer than that, as too few bugs are mirrored to say how long the others are. */
  readonly isCatchUpLeast: boolean;
  readonly progress: Progress;
  readonly failures: readonly Failing[];
  /** Bugs and issues that are left alone because work on them failed; everything else goes on. */
  readonly setAside: readonly SetAsideItem[];
  /**
   * Since when all mirrored bugs were looked at, whether they are still shown; null before the first lap is over, or
   * for a route that publishes nothing.
   */
  readonly lookedAt: number | null;
  /** True while nobody has looked yet whether some mirrored bug is still shown. */
  readonly isUnchecked: boolean;
  /** How much was taken off GitHub because it is no longer public. */
  readonly withdrawn: { readonly issues: number; readonly files: number };
  /** Who did not take the last notice about the route. */
  readonly unreached: readonly Unreached[];
  readonly sides: Readonly<Record<Side, SideStatus>>;
}

/** How far the mirror is behind, in numbers that count down. */
export interface Progress {
  /** Pairs, and how many there will be. What never crosses does not count. */
  readonly mirrored: number;
  readonly total: number;
  /** The writes that are known to be left. */
  readonly writes: number;
}

interface LeftAlone extends Skip {
  /** Whether later cycles plan it again by themselves; otherwise it never crosses as it is. */
  readonly isWaiting?: boolean;
}

export interface OpenConflict extends Conflict {
  readonly about: string;
  /** The side that a person chose, while the running bridge has not taken the decision yet. */
  readonly decided?: Side | null;
}

/** A conflict, and whether a person has decided it. */
export type Decidable = Conflict & Pick<OpenConflict, 'decided'>;

export interface Queued {
  readonly at: number;
  /** `read bug 12 again` */
  readonly words: string;
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
  /** The pair or the item, and which of its comments if it is only one. */
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
  /** True while changes are left that the last read had no time for. */
  readonly hasMore: boolean;
  readonly sweptAt: number | null;
  readonly pause: { readonly until: number; readonly why: string } | null;
  /** What the side announced of the interface version that we use; null for nothing. */
  readonly retirement: Retirement | null;
  /** When the token that we use expires, as GitHub said at the last login; null if it does not, or did not say. */
  readonly tokenEndsAt: number | null;
  readonly budgets: readonly {
    readonly name: string;
    readonly left: number;
    readonly max: number;
    readonly freeAt: number | null;
  }[];
}
