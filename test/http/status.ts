import { judgedStatus } from '../../src/explain/route-status.ts';
import { nothingWaits } from '../../src/explain/standing.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Failing, RouteStatus, SideStatus } from '../../src/model/route-status.ts';

/** How a route stands that has nothing to do, with what a test changes. */
export function statusWith({
  polledAt = { tracker: 0, github: 0 },
  shownAt,
  ...change
}: Partial<RouteStatus> & {
  readonly polledAt?: Readonly<Record<Side, number | null>>;
  /** Just after the last reading unless told. */
  readonly shownAt?: number;
} = {}): RouteStatus {
  const side = (name: Side): SideStatus => ({
    polledAt: polledAt[name],
    isStale: change.isStale === true && (polledAt[name] ?? 0) <= Math.min(polledAt.tracker ?? 0, polledAt.github ?? 0),
    isComplete: true,
    hasMore: false,
    sweptAt: polledAt[name],
    pause: null,
    retirement: null,
    tokenEndsAt: null,
    budgets: [],
  });
  const none = { tracker: 0, github: 0 };
  const facts = {
    ...nothingWaits,
    route: 'widget',
    product: 'Widget',
    repo: 'acme/widget',
    direction: 'both' as const,
    isEnabled: true,
    contact: null,
    filters: { tracker: [], github: [] },
    links: {
      byState: { live: 2, frozen: 0, tombstone: 0 },
      whole: 2,
      wanting: 0,
      waiting: 0,
      ...{ alone: none, halves: none },
    },
    corrected: [],
    lookedAt: null,
    withdrawn: { issues: 0, files: 0 },
    sides: { tracker: side('tracker'), github: side('github') },
    ...change,
  };
  const open = change.open ?? {
    conflicts: facts.conflicts.filter(({ kept }) => kept === null).length,
    skips: facts.skips.filter(({ needsPerson }) => needsPerson).length,
  };
  const counted = {
    ...facts,
    open,
    outbox: { ...facts.outbox, parked: Math.max(facts.outbox.parked, facts.parked.length) },
  };
  return judgedStatus(counted, shownAt ?? Math.max(0, polledAt.tracker ?? 0, polledAt.github ?? 0));
}

/** A cycle whose credentials GitHub refused, with what a test changes. */
export const failing = (change: Partial<Failing> = {}): Failing => ({
  of: 'cycle',
  kind: 'unauthorized',
  side: 'github',
  why: 'GitHub answered 401',
  sinceAt: 0,
  at: 0,
  count: 1,
  advice: 'Put that right.',
  needsPerson: true,
  ...change,
});
