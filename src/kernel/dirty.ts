import type { LinkId } from '../model/ids.ts';
import type { Context } from './context.ts';

/** The next cycle plans the link, unless it waits for that already. */
export function markDirty({ store }: Pick<Context, 'store'>, id: LinkId): void {
  const link = store.links.byId(id);
  if (link !== null && link.urgency === 'none') store.links.save({ ...link, urgency: 'live' });
}

/** Planned again only when something about it changes, or when what waits in the outbox becomes due. */
export function clearDirty({ store }: Context, id: LinkId): void {
  store.transaction(() => {
    const link = store.links.byId(id);
    // What turned out to be hidden still has to be withdrawn.
    const isHidden = link?.state === 'frozen' && link.frozenBy === 'tracker';
    if (link !== null && !isHidden && link.urgency !== 'none') store.links.save({ ...link, urgency: 'none' });
  });
}
