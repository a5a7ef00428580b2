import type { AnonymousReader } from '../model/anonymous-reader.ts';
import type { FilePorts } from '../model/attachment.ts';
import type { ControlQueue } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { FieldName } from '../model/item.ts';
import type { IssuePlace, SetAside } from '../model/outcome.ts';
import type { OwnAccounts } from '../model/people.ts';
import type { Operation, Plan } from '../model/plan/operation.ts';
import type { Withdrawn } from '../model/plan/withdrawal.ts';
import type { GithubReplica, TrackerReplica } from '../model/replica.ts';
import type { Limits, Route, Vocabulary } from '../model/route.ts';
import type { Clock, Watch } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import type { Allowance, Refusal } from '../rules/limits/brake-and-budget.ts';
import type { Reading } from './patience.ts';
import type { UnreadableBugs } from './unreadable.ts';

/** What the bridge itself knows of a route. Whoever takes no more than this asks neither side, and never waits. */
export interface RouteState {
  readonly route: Route;
  readonly limits: Limits;
  readonly session: Session;
  readonly store: Store;
  readonly clock: Clock;
}

/** Everything whose answer has to be waited for. */
export interface Sides {
  readonly tracker: TrackerReplica;
  readonly github: GithubReplica;
  /** Null for a route that leaves files where they are. */
  readonly files: FilePorts | null;
  /** The tracker as anyone sees it; null for a route that does not check visibility. */
  readonly anonymousReader: AnonymousReader | null;
}

/** Everything that a route needs to run; its code depends on nothing else. */
export interface Context extends RouteState, Sides {
  /** How much content may be created, per side; an empty list means no limit. */
  readonly allowances: Readonly<Record<Side, readonly Allowance[]>>;
  /** Random numbers in [0, 1), to spread retries. */
  readonly random: () => number;
  /** The program's version. */
  readonly version: string;
  readonly tell: (event: EngineEvent) => void;
  readonly watch: Watch;
  readonly lookTurns: LookTurns;
  /** Bugs that need not be read when a webhook names them. */
  readonly unreadable: UnreadableBugs;
  /** Whether a person wants to let go of pairs whose numbers were given to others. */
  readonly letsGo?: boolean;
  /** What this cycle has time to read; absent where nothing else waits. */
  readonly reading?: Reading;
  /** When this cycle stops writing; absent where nothing else waits. */
  readonly writesUntil?: number;
  /** Commands to the running bridge; absent where none can arrive. */
  readonly controlQueue?: ControlQueue;
}

/** Whose turn it is to look: routes of one tracker share a look, so that it costs one request for all of them. */
export interface LookTurns {
  /** The routes whose bugs this one looks at, too. */
  sharing(route: Route): readonly string[];
  /** False if another route has looked since the last turn of this one. */
  isDue(route: Route): boolean;
  looked(route: Route): void;
  /** The product of one of these routes, as the configuration names it. */
  productOf(route: string): string | null;
  /** Whether another of these routes takes that product into the same repository. */
  isShared(route: Route, product: string): boolean;
  /** Those of these routes that have the repository. */
  routesOf(repo: string): readonly string[];
  /**
   * Links whose bugs seem to have moved, too many at once to be believed, with the product that they were in: nothing
   * is written for them.
   */
  readonly moved: Map<LinkId, string>;
  /** By route and link, where GitHub said that issues are which may have become those of new links. */
  readonly places: Map<string, ReadonlyMap<LinkId, KnownPlace>>;
  /** Links with addresses that their bugs name, of which GitHub said where they lead. */
  readonly asked: Set<string>;
  /** Links with comments that a list lacks: too many to ask for each in one cycle, or of an issue just imported. */
  readonly unasked: Set<LinkId>;
  /** Links with texts of our account of which GitHub does not say now what they were: nothing is written for them. */
  readonly untold: Set<LinkId>;
  /** By side, the links of older pairs whose bug or issue this process has read. */
  readonly read: Readonly<Record<Side, Set<LinkId>>>;
  /**
   * Withdrawn links whose issues show nothing of that any more: null until GitHub says who opened them, then when an
   * issue that people opened changed last.
   */
  readonly opened: Map<LinkId, number | null>;
  /** By route, when this process last asked for the tracker's values because GitHub showed an unknown one. */
  readonly valuesAskedAt: Map<string, number>;
  /**
   * By route, whether this process has asked if the state was put back before it began, and has stored a plan since:
   * the next cycle asks again otherwise.
   */
  readonly compared: Map<string, 'asked' | 'stored'>;
  /** By route, how much of its backfill a cycle plans if the time of the last ones did not suffice for all of it. */
  readonly paces: Map<string, number>;
  /** Links that the last cycle which wrote for them had no time for. */
  readonly waiting: Set<LinkId>;
  /** Links of which a side did not answer the last write: each may use up the time of a cycle. */
  readonly unanswered: Set<LinkId>;
  /** By route, links of which the last cycle had no time to read something. */
  readonly late: Map<string, ReadonlyMap<LinkId, number>>;
  /** Links of which a side answered slowly when it was last asked for one of them alone. */
  readonly slow: Set<LinkId>;
}

/** Where an issue was, if it exists, when the newest of the links was there that could be its own by now. */
export interface KnownPlace {
  readonly place: IssuePlace | null;
  readonly newest: LinkId;
}

/** What the sides report once, kept until it is renewed. */
export interface Session {
  /** Under the names that the sides told last. */
  own: OwnAccounts;
  /** Asked again where GitHub shows a value that it lacks. */
  vocabulary: Vocabulary;
}

type Place = 'route' | 'side' | 'ref' | 'comment' | 'stage';

/** Events for logs, the terminal and metrics. */
export type EngineEvent =
  | {
      readonly kind: 'polled';
      readonly route: string;
      readonly side: Side;
      readonly items: number;
      readonly comments: number;
    }
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
  /** A person's decision of a conflict was taken from the queue; with the reason when it no longer fits. */
  | {
      readonly kind: 'decided';
      readonly route: string;
      readonly about: string;
      readonly field: FieldName;
      readonly keep: Side;
      readonly why: string | null;
    }
  /** A person's pair was taken from the queue; with the reason when it is none. */
  | {
      readonly kind: 'paired';
      readonly route: string;
      readonly about: string;
      readonly why: string | null;
    }
  | { readonly kind: 'withdrawn'; readonly route: string; readonly withdrawn: Withdrawn }
  /** A fault of ours, or of its side, cost one item; the error of ours is for the log. */
  | ({ readonly kind: 'set aside'; readonly error?: unknown } & Pick<SetAside, Place | 'cause' | 'why'>)
  | {
      readonly kind: 'backoff';
      readonly route: string;
      readonly side: Side;
      readonly until: number;
      readonly why: string;
    };

/**
 * The result of an operation, for people.
 *
 *   applied  parked  later  stale  doubt  buried  frozen  unauthorized  already
 */
export interface Result {
  readonly kind: 'applied' | 'already' | 'parked' | 'later' | 'stale' | 'doubt' | 'buried' | 'frozen' | 'unauthorized';
  readonly why: string | null;
}

/** The result of performing an operation, and what it means for the rest of its link. */
export interface Performed {
  readonly result: Result;
  /** True if later operations of the link must not run now. */
  readonly isBlocking: boolean;
  /** True if the link has to be planned again in the next cycle. */
  readonly wantsPlan: boolean;
  /** The side takes no other write either: nothing more is sent there, and the route stops. */
  readonly stop?: 'unauthorized' | 'refused';
}
