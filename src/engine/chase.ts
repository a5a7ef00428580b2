import { whyNotSelected } from '../core/select.ts';
import type { Link } from '../model/link.ts';
import type { Context } from './context.ts';
import { bury } from './note.ts';
import { observeItem } from './observe.ts';

/**
 * Looks at the issues that bugs without a counterpart name in see_also and that no reading has shown: one may lie outside
 * the selection, or have been deleted while the state database was lost. What was deleted is not made again.
 */
export async function chaseClaims(context: Context, links: readonly Link[]): Promise<void> {
  const { store, route, github } = context;
  if (!store.cursors.get(route.name, 'github')?.isComplete) return;
  for (const { id } of links) {
    const link = store.links.byId(id);
    if (link === null || link.tracker === null || link.github !== null || link.claim === null || link.state !== 'live') continue;
    const probe = await github.probe(link.claim);
    store.transaction(() => {
      if (probe.kind === 'there') observeItem(context, probe.item, 'live');
      else if (probe.gone.kind === 'deleted') bury(context, link, probe.gone.why);
      else if (link.tracker !== null && whyNotSelected(route, link.tracker) !== null) store.links.remove(link.id);
      else store.links.save({ ...link, claim: null });
    });
  }
}
