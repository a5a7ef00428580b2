import type { Story } from '../explain/story.ts';
import type { Named } from '../links/named.ts';
import type { Hint } from '../model/control.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import type { Conflict } from '../model/operation.ts';
import type { RouteStatus } from '../model/route-status.ts';
import type { LedgerLine, OutboxRow, Tally } from '../model/store.ts';
import type { Readiness } from './health.ts';

/** What the door shows of a bridge, and what people may ask of it there. */
export interface AdminPort {
  now(): number;
  statuses(): readonly RouteStatus[];
  readiness(): Readiness;
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
  hint(hint: Hint): void;
  /** Counts a webhook by what was made of it. */
  hinted(side: Side, outcome: string): void;
  link(id: LinkId): Link | null;
  story(link: Link): Story;
  /** The conflicts of a link that wait for a person. */
  conflictsOf(id: LinkId): readonly Conflict[];
  find(target: Named): Link | null;
  /** Why the bridge knows nothing of it; asks the sides. */
  whyNot(target: Named): Promise<readonly string[]>;
  /** What is planned or in doubt, in its order. */
  moving(limit: number): readonly OutboxRow[];
  /** The newest lines of all routes, newest first. */
  latest(limit: number): readonly LedgerLine[];
  tally(sinceAt: number, slotMs: number): readonly Tally[];
  /** Does what a person asked for, between two cycles. Answers what came of it, in words. */
  act(action: AdminAction): Promise<string>;
  /** Calls back whenever something has changed; until the answer is called. */
  listen(changed: () => void): () => void;
}

export type AdminAction =
  | { readonly kind: 'retry'; readonly route: string; readonly number: number }
  | { readonly kind: 'resync'; readonly link: LinkId }
  | { readonly kind: 'decide'; readonly conflict: Omit<Conflict, 'kept'>; readonly keep: Side };
