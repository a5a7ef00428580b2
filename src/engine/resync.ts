import type { Item } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import type { Probe } from '../model/outcome.ts';
import { otherSide, type Side } from '../model/side.ts';
import type { Context } from './context.ts';
import { linkOf, observeItem, observeThread } from './observe.ts';
import { retire } from './record-failure.ts';
import { retryable, retryRows } from './retry.ts';

/**
 * Reads one bug or issue and its other end afresh, with all comments and files of both, whatever was read of them before; the next look
 * plans the link. What of it is parked gets another chance. Answers the link; null when the route has none and takes none.
 * Throws `SideError`.
 */
export async function resync(context: Context, side: Side, ref: number): Promise<Link | null> {
  await look(context, side, ref);
  const found = linkOf(context, side, ref);
  if (found === null || found.state === 'tombstone') return found;
  const other = otherSide(side);
  const otherRef = other === 'tracker' ? found.bug : found.issue;
  if (otherRef !== null) await look(context, other, otherRef);
  await readIssueThread(context, found);
  const { store } = context;
  return store.transaction(() => {
    const link = store.links.byId(found.id);
    if (link === null || link.state !== 'live') return link;
    retryRows(
      context,
      retryable(context).filter(({ operation }) => operation.link === link.id),
    );
    // Without a time of reading, the bug's thread and files are read from their beginning.
    const fresh: Link = { ...link, urgency: 'live', threadReadAt: null };
    store.links.save(fresh);
    return fresh;
  });
}

async function look(context: Context, side: Side, ref: number): Promise<void> {
  const probe: Probe<Item> = await context[side].probe(ref);
  context.store.transaction(() => {
    const link = linkOf(context, side, ref);
    if (probe.kind === 'there') observeItem(context, probe.item, 'live');
    else if (link?.state === 'live') retire(context, link, side, probe.gone);
  });
}

async function readIssueThread(context: Context, { id, issue }: Link): Promise<void> {
  if (issue === null || context.store.links.byId(id)?.state !== 'live') return;
  const threads = await context.github.threads([{ ref: issue, sinceAt: null }]);
  context.store.transaction(() => {
    for (const thread of threads) {
      const link = linkOf(context, 'github', thread.ref);
      if (link !== null) observeThread(context, link, 'github', thread, 'live');
    }
  });
}
