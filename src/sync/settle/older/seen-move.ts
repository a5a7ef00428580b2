import type { RouteState } from '../../../kernel/context.ts';
import type { LinkId } from '../../../model/ids.ts';
import { isMoved } from '../../../rules/plan/moves.ts';
import { saysMoved } from '../../../text/marker.ts';

/**
 * Notes that the bug of a marked pair has left its issue, if the issue says so already: then all that people had
 * written there was on the bug, and what they have written since stays there.
 */
export function noteMove({ store, route }: RouteState, { id }: { readonly id: LinkId }): void {
  const link = store.links.byId(id);
  if (link === null || link.github === null || link.tracker === null || !isMoved(route, link)) return;
  const { product } = link.tracker;
  if (link.movedTo !== product && saysMoved(route.instance, link.github.body))
    store.links.save({ ...link, movedTo: product });
}
