import type { FilePorts } from '../model/attachment.ts';
import type { ControlQueue } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Operation, Plan } from '../model/operation.ts';
import type { AnonymousReader, GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { Limits, Route, Vocabulary } from '../model/route.ts';
import type { Clock } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Withdrawn } from '../model/withdrawal.ts';
import type { Refusal } from './brake.ts';
import type { Allowance } from './budget.ts';
import type { UnreadableBugs } from './unreadable.ts';

/** Everything one route needs to run. Nothing in the engine reaches for anything else. */
export interface Context {
  readonly route: Route;
  readonly limits: Limits;
  /** How much content may be created, per side; an empty list is no limit. */
  readonly allowances: Readonly<Record<Side, readonly Allowance[]>>;
  readonly tracker: TrackerReplica;
  readonly github: GithubReplica;
  /** Null for a route that leaves files where they are. */
  readonly files: FilePorts | null;
  /** The tracker as everybody sees it; null for a route that asks for no proof. */
  readonly anonymousReader: AnonymousReader | null;
  readonly store: Store;
  readonly clock: Clock;
  /** Numbers in [0, 1), to spread what is tried again. */
  readonly random: () => number;
  readonly tell: (event: EngineEvent) => void;
  readonly session: Session;
  /** What need not be looked at when a webhook names it. */
  readonly unreadable: UnreadableBugs;
  /** What people ask of a bridge that runs; absent where nobody can. */
  readonly controlQueue?: ControlQueue;
}

/** What is learnt from the sides once and holds until the process ends. */
export interface Session {
  readonly own: Readonly<Record<Side, string | null>>;
  readonly vocabulary: Vocabulary;
}

/** What happens, for logs, the terminal and metrics. */
export type EngineEvent =
  | { readonly kind: 'polled'; readonly route: string; readonly side: Side; readonly items: number; readonly comments: number }
  | { readonly kind: 'planned'; readonly route: string; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly route: string; readonly refusal: Refusal }
  | {
      readonly kind: 'done';
      readonly route: string;
      readonly operation: Operation;
      readonly result: Result;
      readonly ms: number;
      readonly attempt: number;
    }
  | { readonly kind: 'withdrawn'; readonly route: string; readonly withdrawn: Withdrawn }
  | { readonly kind: 'paused'; readonly route: string; readonly side: Side; readonly until: number; readonly why: string };

/**
 * What became of an operation, for people.
 *
 *   applied  parked  later  stale  doubt  buried  frozen  unauthorized  already
 */
export interface Result {
  readonly kind: 'applied' | 'already' | 'parked' | 'later' | 'stale' | 'doubt' | 'buried' | 'frozen' | 'unauthorized';
  readonly why: string | null;
}

/** What carrying out an operation came to, for the rest of its link. */
export interface Performed {
  readonly result: Result;
  /** True when the later operations of the link must not run now. */
  readonly isBlocking: boolean;
  /** True when the link is to be planned again in the next cycle. */
  readonly wantsPlan: boolean;
}

/** What was done on the shelf, before everything else. */
export interface FileWork {
  applied: number;
  /** Links to be planned again. */
  readonly again: Set<LinkId>;
}
