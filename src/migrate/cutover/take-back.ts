import { wayTo } from '../../fields/status.ts';
import type { Bug } from '../../model/item.ts';
import type { CutoverNotice } from '../../model/migration.ts';
import type { Migration } from '../migration.ts';
import { patiently } from '../until-quiet.ts';
import { isOnWayBack, putBug, withStatus } from './put-bug.ts';

export interface TakenBack {
  readonly reopened: number;
  /** Bugs that were left as they are, and why. */
  readonly left: readonly string[];
}

/** Gives the bugs that the cut-over closed the status that they had. Comments stay: no stock tracker deletes any. Throws `SideError`. */
export async function takeBack(migration: Migration): Promise<TakenBack> {
  const { store, route } = migration.context;
  const left: string[] = [];
  const closed = store.cutoverNotices.ofRoute(route.name);
  let reopened = 0;
  const state = { route: route.name, phase: 'returning', total: closed.length, inFlight: 0, limitedBy: 'tracker' } as const;
  migration.tell({ kind: 'phase', route: route.name, phase: 'returning' });
  for (const row of closed) {
    const why = await reopen(migration, row);
    if (why === null) reopened += 1;
    else left.push(`bug ${store.links.byId(row.link)?.bug}: ${why}`);
    migration.tell({ kind: 'progress', ...state, done: reopened + left.length, parked: left.length });
  }
  return { reopened, left };
}

async function reopen(migration: Migration, row: CutoverNotice): Promise<string | null> {
  const { context } = migration;
  const { store, route, session } = context;
  const link = store.links.byId(row.link);
  if (link?.state !== 'live' || link.bug === null) return 'it is no longer mirrored';
  const bug = Number(link.bug);
  const probe = await patiently(migration, () => context.tracker.probe(bug));
  if (probe.kind === 'gone') return probe.gone.why;
  let seen = probe.item;
  if (seen.status !== row.was) {
    if (!isOurs(migration, row, seen)) {
      store.cutoverNotices.remove(row.link);
      return 'somebody changed its status since, so it stays';
    }
    const way = wayTo(route.status, session.vocabulary, seen.status, row.was);
    if (way === null) return `the tracker's workflow has no way from ${seen.status} to ${row.was}`;
    // The way may be cut off in the middle, and what the bug shows then is still what we left it with.
    store.cutoverNotices.save({ ...row, isDone: false });
    for (const status of way) {
      const put = await putBug(migration, link, seen, { status });
      if (put.kind === 'unknown') return 'the answer of the tracker was lost; run it again';
      if (put.kind === 'refused') return put.why;
      seen = put.item;
    }
    const shown = await patiently(migration, () => context.tracker.probe(bug));
    if (shown.kind === 'gone') return shown.gone.why;
    if (shown.item.changedAt < seen.changedAt) return 'the tracker said that it had reopened it, and does not show it; run it again';
  }
  store.transaction(() => {
    store.links.save(withStatus(context, link, row.was, ''));
    store.cutoverNotices.remove(row.link);
  });
  return null;
}

/** Whether a bug shows what the cut-over closed it with, or a status on the way back that an earlier run did not walk to its end. */
const isOurs = ({ context }: Migration, row: CutoverNotice, seen: Bug): boolean =>
  (seen.status === row.status && seen.resolution === row.resolution) || isOnWayBack(context, row, seen);
