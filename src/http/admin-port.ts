import type { Story } from '../explain/story.ts';
import type { Named } from '../links/named.ts';
import type { Hint } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Conflict } from '../model/operation.ts';
import type { RouteStatus } from '../model/route-status.ts';
import type { LedgerLine, OutboxRow, Tally } from '../model/store.ts';
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
  tally(sinceAt: number, slotMs: number): readonly Tally[];
  /** Carries out an action between two cycles. Returns the result as text. */
  act(action: AdminAction): Promise<string>;
  /** Calls back after every change, until the returned function is called. */
  listen(changed: () => void): () => void;
}

export type AdminAction =
  | { readonly kind: 'retry'; readonly route: string; readonly number: number }
  | { readonly kind: 'resync'; readonly link: LinkId }
  | { readonly kind: 'decide'; readonly conflict: Omit<Conflict, 'kept'>; readonly keep: Side };
