import type { Context } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import type { Bug } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { CutoverNotice } from '../../model/migration.ts';
import { type Lost, SideError } from '../../model/outcome.ts';
import type { BugPatch } from '../../model/plan/draft.ts';
import { statusView, wayTo } from '../../rules/fields/status.ts';
import type { Migration } from '../migration.ts';
import { patiently, refuseWhilePaused, waitForBackoff } from '../until-quiet.ts';

type PutOutcome =
  | { readonly kind: 'applied'; readonly item: Bug; readonly lost?: readonly Lost[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Sends one PUT for a bug, waiting while the tracker asks for a pause. Records the outcome in the ledger. Throws
 * `SideError`.
 */
export async function putBug(migration: Migration, link: Link, seen: Bug, patch: BugPatch): Promise<PutOutcome> {
  const { context } = migration;
  const { store, clock } = context;
  await waitForBackoff(migration);
  refuseWhilePaused(context, context.route.name);
  const outcome = await patiently(migration, async () => {
    store.budgets.spend('tracker', 'edit', { at: clock.now(), points: 1 });
    const answer = await context.tracker.update(seen, patch);
    if (answer.kind === 'later') throw new SideError('later', answer.why, { side: 'tracker', at: answer.at });
    if (answer.kind === 'unauthorized') throw new SideError('unauthorized', answer.why, { side: 'tracker' });
    return answer;
  });
  store.transaction(() => {
    const now = store.links.byId(link.id);
    if (outcome.kind === 'applied' && now !== null) store.links.save({ ...now, tracker: outcome.item });
    const line = lineOf(context, link, 'update', { cutover: { ...patch }, before: { status: seen.status } });
    store.ledger.add({ ...line, on: 'tracker', outcome: outcome.kind });
  });
  if (outcome.kind === 'applied') return outcome;
  if (outcome.kind === 'refused') return { kind: 'refused', why: outcome.why };
  return outcome.kind === 'gone' ? { kind: 'refused', why: outcome.gone.why } : { kind: 'unknown' };
}

/** The link, whose base agrees on the bug's new status and the current one. */
export function withStatus({ route, store }: Context, { id }: Link, status: string, resolution: string): Link {
  const link = store.links.byId(id);
  if (link === null) throw new Error(`Link ${id} is gone in the middle of a cut-over`);
  const view = statusView(route.status, status, resolution);
  const { base } = link;
  return base === null || view === null
    ? link
    : { ...link, base: { ...base, tracker: { ...base.tracker, status: view } } };
}

/** Whether a bug shows a status between its closed and its earlier one, as after an interrupted `takeBack`. */
export function isOnWayBack({ route, session }: Context, row: CutoverNotice, seen: Bug): boolean {
  const way = row.isDone ? null : wayTo(route.status, session.vocabulary, row.status, row.was);
  return way?.includes(seen.status) ?? false;
}
