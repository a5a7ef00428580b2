import type { LinkId } from '../model/ids.ts';
import type { Context } from './context.ts';

/** Has the next cycle plan the link, unless it is queued already. */
export function markDirty({ store }: Pick<Context, 'store'>, id: LinkId): void {
  const link = store.links.byId(id);
  if (link !== null && link.urgency === 'none') store.links.save({ ...link, urgency: 'live' });
}
