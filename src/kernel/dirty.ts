import type { LinkId } from '../model/ids.ts';
import type { Context } from './context.ts';

/** Has the next cycle plan the link, unless it is queued already. */
export function markDirty({ store }: Pick<Context, 'store'>, id: LinkId): void {
  const link = store.links.byId(id);
  if (link !== null && link.urgency === 'none') store.links.save({ ...link, urgency: 'live' });
}

/** The link is planned again only when it changes, or when an operation in the outbox becomes due. */
export function clearDirty({ store }: Context, id: LinkId): void {
  store.transaction(() => {
    const link = store.links.byId(id);
    // A bug found to be hidden still has to be withdrawn.
    const isHidden = link?.state === 'frozen' && link.frozenBy === 'tracker';
    if (link !== null && !isHidden && link.urgency !== 'none') store.links.save({ ...link, urgency: 'none' });
  });
}
