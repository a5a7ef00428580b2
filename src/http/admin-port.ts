import type { Story } from '../explain/story.ts';
import type { Hint } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Link, PairQuery } from '../model/link.ts';
import type { Named } from '../model/named.ts';
import type { Conflict, Operation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { RouteStatus } from '../model/route-status.ts';
import type { LedgerLine, Refused, Tally } from '../model/store.ts';
import type { Readiness } from './health.ts';

/** What the HTTP server shows of a bridge, and the actions that users can request. */
export interface AdminPort {
  now(): number;
  statuses(): readonly RouteStatus[];
  readiness(): Readiness;
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
  hint(hint: Hint): void;
  /** Counts a webhook by its outcome. */
  hinted(side: Side, outcome: string): void;
  link(id: LinkId): Link | null;
  story(link: Link): Story;
  /** The conflicts of a link that need a person. */
  conflictsOf(id: LinkId): readonly Conflict[];
  find(target: Named): Link | null;
  /** Why it is not mirrored; asks the sides. */
  whyNot(target: Named): Promise<readonly string[]>;
  /** Operations that are planned or in doubt, in order. */
  moving(limit: number): readonly OutboxRow[];
  /** The latest ledger lines of all routes, newest first. */
  latest(limit: number): readonly LedgerLine[];
  /** A page of the pairs of a route; a search finds no bug that is not public. */
  pairs(query: PairQuery, limit: number): PairPage;
  /** What the brake refused, or else what is planned and waits, as far as this process knows. */
  planned(route: string, limit: number): Planned;
  /** The addresses of the product and the repository. */
  homes(route: string): Readonly<Record<Side, string>>;
  /** What holds for the bridge as a whole. */
  about(): About;
  tally(sinceAt: number, slotMs: number): readonly Tally[];
  /** Carries out an action between two cycles. Returns the result as text. */
  act(action: AdminAction): Promise<string>;
  /** Calls back after every change, until the returned function is called. */
  listen(changed: () => void): () => void;
}

export interface PairPage {
  readonly pairs: readonly Link[];
  /** Where the next page begins; null on the last one. */
  readonly next: LinkId | null;
}

export interface Planned {
  readonly operations: readonly {
    readonly operation: Operation;
    readonly notBeforeAt: number | null;
    readonly why: string | null;
  }[];
  readonly total: number;
}

export interface About {
  readonly version: string;
  readonly startedAt: number;
  readonly next: { readonly pollAt: number | null; readonly sweepAt: number | null };
  /** When GitHub's token expires; null if it does not, or does not say. */
  readonly tokenEndsAt: number | null;
}

export type AdminAction =
  | { readonly kind: 'run' }
  | { readonly kind: 'pause'; readonly route: string; readonly why: string | null }
  | { readonly kind: 'resume'; readonly route: string }
  /** Carries out once what the brake refused, for the reason that the person saw. */
  | { readonly kind: 'force'; readonly route: string; readonly of: Refused['of']; readonly why: string }
  | { readonly kind: 'retry'; readonly route: string; readonly numbers: readonly number[] }
  | { readonly kind: 'resync'; readonly link: LinkId }
  | { readonly kind: 'decide'; readonly conflict: Omit<Conflict, 'kept'>; readonly keep: Side };
