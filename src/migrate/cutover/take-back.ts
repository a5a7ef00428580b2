import { markDirty } from '../../kernel/dirty.ts';
import type { Bug } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { CutoverNotice } from '../../model/migration.ts';
import { isBy } from '../../model/people.ts';
import { isOpenView, statusView, wayTo } from '../../rules/fields/status.ts';
import { findCutovers } from '../../sync/settle/seen-cutover.ts';
import { pastChanges } from '../../sync/settle/setters.ts';
import type { Migration } from '../migration.ts';
import { patiently } from '../until-quiet.ts';
import { isOnWayBack, putBug, withStatus } from './put-bug.ts';

/** Pairs that are read together. */
const batchSize = 100;

export interface ReopenReport {
  readonly reopened: number;
  /** Bugs that were left as they are, and why. */
  readonly left: readonly string[];
}

/**
 * Restores the earlier status of the bugs that the cut-over closed. Comments stay: no stock tracker deletes any. Throws
 * `SideError`.
 */
export async function takeBack(migration: Migration): Promise<ReopenReport> {
  const { store, route } = migration.context;
  const left: string[] = [];
  for (const links of store.links.batches(route.name, batchSize)) await findClosed(migration, links);
  const closed = store.cutoverNotices.ofRoute(route.name);
  let reopened = 0;
  const state = {
    route: route.name,
    phase: 'returning',
    total: closed.length,
    inFlight: 0,
    limitedBy: 'tracker',
  } as const;
  migration.tell({ kind: 'phase', route: route.name, phase: 'returning' });
  for (let at = 0; at < closed.length; at += batchSize) {
    const rows = closed.slice(at, at + batchSize);
    const isTheirs = await closedAgain(migration, rows);
    for (const row of rows) {
      const why = await reopen(migration, row, isTheirs);
      if (why === null) reopened += 1;
      else left.push(`bug ${store.links.byId(row.link)?.bug}: ${why}`);
      migration.tell({ kind: 'progress', ...state, done: reopened + left.length, parked: left.length });
    }
  }
  return { reopened, left };
}

/** An older state may lack what the cutover noted. */
async function findClosed(migration: Migration, links: readonly Link[]): Promise<void> {
  const { context } = migration;
  const byBug = new Map(links.flatMap((link) => (link.bug === null ? [] : [[Number(link.bug), link] as const])));
  await patiently(migration, async () => {
    const bugs = byBug.size === 0 ? [] : await context.tracker.bugs([...byBug.keys()]);
    const pairs = bugs.flatMap((bug) => {
      const link = byBug.get(bug.id);
      return link === undefined ? [] : [{ link, bug }];
    });
    await findCutovers(context, pairs, 'unchanged');
  });
}

/** Tells whether people gave a bug the status that it has, which may be the one that the cutover gave it before. */
async function closedAgain(migration: Migration, rows: readonly CutoverNotice[]): Promise<(bug: number) => boolean> {
  const { context } = migration;
  const { store, session, route } = context;
  const isClosed = (names: readonly string[] = []): boolean =>
    !names.some((name) => isOpenView(statusView(route.status, name, '') ?? ''));
  const bugs = rows.flatMap(({ link }) => store.links.byId(link)?.bug ?? []);
  const changes = await patiently(migration, () => pastChanges(context, bugs));
  return (bug) => {
    const last = changes.get(bug)?.findLast(({ what }) => what.status !== undefined);
    if (last === undefined || session.own.tracker === null) return false;
    // A cutover that was cut short may have closed what people had closed a moment before.
    const isOverTheirs = isClosed(last.what.status) && isClosed(last.was.status);
    return isOverTheirs || !isBy(last, session.own.tracker);
  };
}

async function reopen(
  migration: Migration,
  row: CutoverNotice,
  isTheirs: (bug: number) => boolean,
): Promise<string | null> {
  const { context } = migration;
  const { store, route, session } = context;
  const link = store.links.byId(row.link);
  const isHidden = link?.state === 'frozen' && link.frozenBy === 'tracker';
  if (link === null || (link.state !== 'live' && !isHidden) || link.bug === null) return 'it is no longer mirrored';
  // What the bridge closed itself, because the bug is hidden or elsewhere, says nothing.
  if (link.github?.state === 'closed' && !link.isWithdrawn && link.movedTo === null) {
    store.cutoverNotices.remove(row.link);
    return 'its issue was closed since, so it stays';
  }
  const bug = Number(link.bug);
  const probe = await patiently(migration, () => context.tracker.probe(bug));
  if (probe.kind === 'gone') return probe.gone.why;
  let seen = probe.item;
  if (seen.status !== row.was) {
    if (isTheirs(bug) || !isOurs(migration, row, seen)) {
      store.transaction(() => {
        // What people closed after the cutover closes the issue, too.
        if (isTheirs(bug)) store.links.save(withStatus(context, link, row.was, ''));
        if (isTheirs(bug)) markDirty(context, link.id);
        const older = store.olderPairs.get(link.id);
        if (older !== null) store.olderPairs.settle(link.id, { ...older.settled, status: 'base' });
        store.cutoverNotices.remove(row.link);
      });
      return 'its status was changed since, so it stays';
    }
    const way = wayTo(route.status, session.vocabulary, seen.status, row.was);
    if (way === null) return `the tracker's workflow has no way from ${seen.status} to ${row.was}`;
    // The steps may be interrupted; the status that the bug shows then is still ours.
    store.cutoverNotices.save({ ...row, isDone: false });
    for (const status of way) {
      const put = await putBug(migration, link, seen, { status });
      if (put.kind === 'unknown') return "the tracker's answer was lost; run the command again";
      if (put.kind === 'refused') return put.why;
      seen = put.item;
    }
    const shown = await patiently(migration, () => context.tracker.probe(bug));
    if (shown.kind === 'gone') return shown.gone.why;
    if (shown.item.changedAt < seen.changedAt)
      return 'the tracker reported it as reopened, but does not show that; run the command again';
  }
  store.transaction(() => {
    store.links.save(withStatus(context, link, row.was, ''));
    store.cutoverNotices.remove(row.link);
  });
  return null;
}

/** Whether a bug shows the status with which the cut-over closed it, or one on the way back from an interrupted run. */
const isOurs = ({ context }: Migration, row: CutoverNotice, seen: Bug): boolean =>
  (seen.status === row.status && seen.resolution === row.resolution) || isOnWayBack(context, row, seen);
