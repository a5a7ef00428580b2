import { lookAtBug } from '../comments/read-threads.ts';
import type { Context } from '../kernel/context.ts';
import { linkOf } from '../links/observe.ts';
import { freeze } from '../links/persist-plan.ts';
import { holdsNumber } from '../links/placeholder.ts';
import { bugId } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';

/**
 * Looks at the bugs that issues of ours name and that no reading has shown: one may have been hidden while the state database was lost,
 * and what stands of it on GitHub has to go.
 */
export async function chaseHidden(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route, tracker } = context;
  if (route.direction === 'to-tracker' || !store.cursors.get(route.name, 'tracker')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link === null || link.bug !== null || link.claim === null || link.state !== 'live') continue;
    // What only holds a number shows nothing of any bug, and must not tell why the number is not used.
    if (link.github === null || holdsNumber(link.github)) continue;
    // The claim of an issue of which nothing is known yet: its bug may have a link already.
    if (linkOf(context, 'tracker', link.claim) !== null) continue;
    const { claim } = link;
    const probe = await tracker.probe(claim);
    if (probe.kind === 'there' || probe.gone.kind !== 'hidden') continue;
    store.transaction(() => freeze(context, { ...link, bug: bugId(claim), claim: null }, 'tracker', probe.gone.why));
  }
}

/**
 * Looks at bugs that a list shows as private and that lie here as everybody could see them. The list lags, and shows the version before a
 * write of ours; but what a write answers says nothing of who may see the bug, and somebody may have hidden it just before.
 */
export async function lookAtHidden(context: Context, items: readonly Item[]): Promise<void> {
  for (const item of items) {
    const link = item.kind === 'bug' && item.isPrivate ? linkOf(context, 'tracker', item.id) : null;
    if (link?.tracker?.isPrivate === false) await lookAtBug(context, link.tracker.id);
  }
}
