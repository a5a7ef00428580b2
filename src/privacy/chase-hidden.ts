import { lookAtBug } from '../comments/read-threads.ts';
import type { Context } from '../kernel/context.ts';
import { linkOf } from '../links/observe.ts';
import { freeze } from '../links/persist-plan.ts';
import { holdsNumber } from '../links/placeholder.ts';
import { bugId } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';

/**
 * Checks bugs that our issues name and that no reading has shown: such a bug may have been hidden while the state database was
 * lost, and must then be withdrawn from GitHub.
 */
export async function chaseHidden(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route, tracker } = context;
  if (route.direction === 'to-tracker' || !store.cursors.get(route.name, 'tracker')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link === null || link.bug !== null || link.claim === null || link.state !== 'live') continue;
    // A placeholder shows nothing of any bug, and must not reveal why its number is unused.
    if (link.github === null || holdsNumber(link.github)) continue;
    // The claim of a new issue: its bug may already have a link.
    if (linkOf(context, 'tracker', link.claim) !== null) continue;
    const { claim } = link;
    const probe = await tracker.probe(claim);
    if (probe.kind === 'there' || probe.gone.kind !== 'hidden') continue;
    store.transaction(() => freeze(context, { ...link, bug: bugId(claim), claim: null }, 'tracker', probe.gone.why));
  }
}

/**
 * Checks bugs that a list shows as private although the stored version is public. The list lags, and may show the version before
 * our own write; but the answer to a write does not say who may see the bug, which may have been hidden just before.
 */
export async function lookAtHidden(context: Context, items: readonly Item[]): Promise<void> {
  for (const item of items) {
    const link = item.kind === 'bug' && item.isPrivate ? linkOf(context, 'tracker', item.id) : null;
    if (link?.tracker?.isPrivate === false) await lookAtBug(context, link.tracker.id);
  }
}
