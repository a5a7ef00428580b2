import { nothingWaits, standingOf } from '../../src/explain/standing.ts';
import type { Side } from '../../src/model/ids.ts';
import type { Failing, RouteStatus, SideStatus } from '../../src/model/route-status.ts';

/** How a route stands that has nothing to do, with what a test changes. */
export function statusWith({
  polledAt = { tracker: 0, github: 0 },
  ...change
}: Partial<RouteStatus> & { readonly polledAt?: Readonly<Record<Side, number | null>> } = {}): RouteStatus {
  const side = (name: Side): SideStatus => ({
    polledAt: polledAt[name],
    isStale: change.isStale === true && (polledAt[name] ?? 0) <= Math.min(polledAt.tracker ?? 0, polledAt.github ?? 0),
    isComplete: true,
    sweptAt: null,
    pause: null,
    retirement: null,
    budgets: [],
  });
  const status = {
    ...nothingWaits,
    route: 'widget',
    product: 'Widget',
    repo: 'acme/widget',
    isEnabled: true,
    contact: null,
    lagMs: 0,
    links: { byState: { live: 0, frozen: 0, tombstone: 0 }, whole: 0, wanting: 0 },
    corrected: [],
    lookedAt: null,
    withdrawn: { issues: 0, files: 0 },
    sides: { tracker: side('tracker'), github: side('github') },
    ...change,
  };
  return { standing: standingOf(status), ...status };
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
