import type { Context } from '../kernel/context.ts';
import { observe } from '../links/observe.ts';
import { type Side, sides } from '../model/ids.ts';
import type { CursorRow } from '../model/store.ts';
import { lookAtHidden } from '../privacy/chase-hidden.ts';

/** How many pages of the first full read one cycle takes, so that live changes never wait long. */
const listPagesPerCycle = 20;

/** Reads changes on both sides. A cursor is stored together with the observations that it covers. */
export async function poll(context: Context): Promise<void> {
  for (const side of sides) {
    await pollChanges(context, side);
    await pollListing(context, side);
  }
}

/** Reads the changes on one side since its last read. */
export async function pollChanges(context: Context, side: Side): Promise<void> {
  const { store, clock, route } = context;
  const row = store.cursors.get(route.name, side) ?? unread;
  const polledAt = clock.now();
  const page = await context[side].changes(row.changes);
  store.transaction(() => {
    observe(context, side, page, 'live');
    store.cursors.put(route.name, side, { ...row, changes: page.cursor, polledAt, readAt: page.readAt });
  });
  await lookAtHidden(context, page.items);
  context.tell({ kind: 'polled', route: route.name, side, items: page.items.length, comments: page.comments.length });
}

/** The first full read, of everything that is on a side already. It continues where the last cycle stopped. */
async function pollListing(context: Context, side: Side): Promise<void> {
  const { store, route } = context;
  for (let pages = 0; pages < listPagesPerCycle; pages += 1) {
    const row = store.cursors.get(route.name, side);
    if (row === null || row.isComplete) return;
    const page = await context[side].list(row.listing);
    store.transaction(() => {
      observe(context, side, page, 'backfill');
      store.cursors.put(route.name, side, { ...row, listing: page.next, isComplete: page.next === null });
    });
    await lookAtHidden(context, page.items);
    context.tell({ kind: 'polled', route: route.name, side, items: page.items.length, comments: page.comments.length });
  }
}

const unread: CursorRow = { changes: null, listing: null, isComplete: false, polledAt: 0, readAt: 0, sweptAt: null };
