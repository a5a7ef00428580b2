import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf } from '../../kernel/linked.ts';
import { dueUnread, ofItem, setUnread } from '../../kernel/unread.ts';
import { SideError } from '../../model/outcome.ts';
import { retire } from '../perform/record-failure.ts';
import { observeItem } from './observe.ts';

/** How many bugs a cycle reads of those that could not be read. */
const unreadMax = 20;

/** Reads bugs again that could not be read, one by one, as no list need show them. */
export async function readUnread(context: Context): Promise<void> {
  const { store, route, tracker } = context;
  for (const { ref, isItem } of dueUnread(context).slice(0, unreadMax)) {
    const link = linkOf(context, 'tracker', ref);
    if (!isItem && link?.state === 'live') {
      // Its thread and its files are asked for when it is planned.
      store.transaction(() => markDirty(context, link.id));
      continue;
    }
    const probe = await tracker.probe(ref).catch(ofItem);
    if (probe instanceof SideError) setUnread(context, 'item', ref, probe.message);
    else if (probe.kind === 'gone') {
      if (link?.state === 'live') retire(context, link, 'tracker', probe.gone);
      store.setAside.remove(route.name, 'tracker', ref);
    } else
      store.transaction(() => {
        store.setAside.remove(route.name, 'tracker', ref);
        observeItem(context, probe.item, 'live');
      });
  }
}
