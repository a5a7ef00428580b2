import type { Item } from '../model/item.ts';
import type { Context } from './context.ts';
import { linkOf } from './observe.ts';
import { lookAtBug } from './read-threads.ts';

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
