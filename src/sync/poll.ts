/** Reads both sides: what their lists of changes show, the first full list, and single items that webhooks name. */

import type { Context } from '../kernel/context.ts';
import { lookAtHidden } from '../links/chase.ts';
import { sameName } from '../links/named.ts';
import { linkOf, observe, observeItem, observeThread } from '../links/observe.ts';
import { observePulls } from '../links/pulls.ts';
import { retire } from '../links/record-failure.ts';
import type { Hint, ItemHint } from '../model/control.ts';
import { bugId, type Side, sides } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import type { Probe } from '../model/outcome.ts';
import type { CursorRow } from '../model/store.ts';

/** How many pages of the first full read one cycle takes, so that live changes never wait long. */
const listPagesPerCycle = 20;

/** Reads changes on both sides, and names where a hint says so. A cursor is stored together with the observations that it covers. */
export async function poll(context: Context, hints: readonly Hint[] = []): Promise<void> {
  for (const side of sides) {
    await pollChanges(
      context,
      side,
      hints.some((hint) => hint.ref === null && hint.side === side),
    );
    await pollListing(context, side);
  }
}

/**
 * Reads the changes on one side since its last read.
 * @param isRenamed whether the side said that something has another name
 */
export async function pollChanges(context: Context, side: Side, isRenamed = false): Promise<void> {
  const { store, clock, route } = context;
  const row = store.cursors.get(route.name, side) ?? unread;
  const polledAt = clock.now();
  const page = await context[side].changes(row.changes, isRenamed);
  store.transaction(() => {
    observe(context, side, page, 'live');
    if (route.pulls !== undefined && page.pulls !== undefined) observePulls(context, page.pulls);
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

/** How far before a hint its comment may be stamped: clocks differ, and deliveries are late. */
const marginMs = 15 * 60_000;

/** Whether a hint may be about the route. An unlinked bug concerns every route, unless a recent read of it failed. */
export function isConcerned(context: Pick<Context, 'route' | 'store' | 'clock' | 'unreadable'>, hint: Hint): boolean {
  const { route, store } = context;
  const { side, ref, repo } = hint;
  if (side === 'github') return repo !== null && sameName(repo, `${route.owner}/${route.repo}`);
  const link = store.links.byBug(bugId(ref));
  return (link === null || link.route === route.name) && !isLeftToPoll(context, hint);
}

/**
 * Reads the items that hints name, one by one: lists lag behind, and never show that an item was deleted or hidden. The next poll brings the
 * same items again without news, so a forged or repeated hint costs a request, and a missed one does no harm. Reads throw `SideError`.
 */
export async function follow(context: Context, hints: readonly Hint[]): Promise<void> {
  const onItems = hints.filter((hint) => hint.ref !== null);
  for (const same of Map.groupBy(onItems, ({ side, ref }) => `${side} ${ref}`).values()) {
    const [first] = same;
    if (first !== undefined) await lookAt(context, { ...first, isThread: same.some(({ isThread }) => isThread) });
  }
}

async function lookAt(context: Context, hint: ItemHint): Promise<void> {
  const { store, clock, unreadable } = context;
  const { side, ref, isThread } = hint;
  // Another route may just have found that it is unreadable.
  if (isLeftToPoll(context, hint)) return;
  const probe: Probe<Item> = await context[side].probe(ref);
  const link = linkOf(context, side, ref);
  if (probe.kind === 'gone') {
    if (side === 'tracker') unreadable.add(ref, clock.now());
    if (link?.state === 'live') retire(context, link, side, probe.gone);
    return;
  }
  store.transaction(() => observeItem(context, probe.item, 'live'));
  // The thread of a changed bug is read anyway. On GitHub, an edited comment does not change the issue itself.
  if (!isThread || side === 'tracker' || linkOf(context, side, ref)?.state !== 'live') return;
  const threads = await context[side].threads([{ ref, sinceAt: clock.now() - marginMs }]);
  store.transaction(() => {
    for (const thread of threads) {
      const fresh = linkOf(context, side, thread.ref);
      if (fresh !== null) observeThread(context, fresh, side, thread, 'live');
    }
  });
}

/** Whether a hint is left to the poll. A hint about a linked bug never is, since it may mean that the bug is now hidden. */
function isLeftToPoll(context: Pick<Context, 'route' | 'store' | 'clock' | 'unreadable'>, { side, ref }: ItemHint): boolean {
  if (side !== 'tracker' || linkOf(context, side, ref)?.state === 'live') return false;
  return context.unreadable.isLeft(ref, context.clock.now());
}
