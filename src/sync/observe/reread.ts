/** Reads single items: those that webhooks name, and bugs that could not be read before. */

import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf } from '../../kernel/linked.ts';
import { lateFirst } from '../../kernel/patience.ts';
import { partOf, spareAsync, type Work } from '../../kernel/set-aside.ts';
import { dueUnread, ofIssue, ofItem, probeItem, setItemUnread } from '../../kernel/unread.ts';
import type { Hint, ItemHint } from '../../model/control.ts';
import { bugId } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import { type Probe, type SetAside, SideError } from '../../model/outcome.ts';
import type { Thread } from '../../model/replica.ts';
import { retire } from '../perform/record-failure.ts';
import { observeFound, threadWithFirstTexts } from '../settle/first-texts.ts';
import { asksMax } from '../settle/missing-copies.ts';
import { observeThread } from './observe-thread.ts';

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
 * How many items a cycle reads because of hints. Whoever changes thousands at once would otherwise use up the requests
 * that GitHub allows in an hour, and the lists show all of that in a few.
 */
const hintsMax = 100;

/**
 * Reads the items that hints name, one by one: lists lag behind, and never show that an item was deleted or hidden. The
 * next poll brings the same items again without news, so a forged or repeated hint costs a request, and a missed one,
 * or one that fails, does no harm. Of many, bugs of pairs come first, as they may be hidden now, then issues of pairs.
 */
export async function followHints(context: Context, hints: readonly Hint[]): Promise<void> {
  const onItems = hints.filter((hint) => hint.ref !== null);
  const groups = [...Map.groupBy(onItems, ({ side, ref }) => `${side} ${ref}`).values()];
  const items = groups.flatMap(([first, ...more]): readonly ItemHint[] =>
    first === undefined ? [] : [{ ...first, isThread: [first, ...more].some(({ isThread }) => isThread) }],
  );
  for (const hint of hintsMax < items.length ? urgentOf(context, items) : items)
    await followEach(context, hint).catch(hint.side === 'tracker' ? ofItem : ofIssue);
}

function urgentOf(context: Context, items: readonly ItemHint[]): readonly ItemHint[] {
  const rankOf = ({ side, ref }: ItemHint): number =>
    linkOf(context, side, ref) === null ? 2 : side === 'tracker' ? 0 : 1;
  const ranked = Map.groupBy(items, rankOf);
  return [0, 1, 2].flatMap((rank) => ranked.get(rank) ?? []).slice(0, hintsMax);
}

const followEach = (context: Context, hint: ItemHint): Promise<unknown> =>
  spareAsync(context, workOnItem(hint), () => followHint(context, hint));

/** Its content is not known before it is read. */
const workOnItem = ({ side, ref }: Pick<SetAside, 'side' | 'ref'>): Work => ({
  ...{ side, ref },
  stage: 'read',
  of: 'item',
  content: () => undefined,
});

async function followHint(context: Context, hint: ItemHint): Promise<void> {
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
  await observeFound(context, [probe.item], 'live');
  // The thread of a changed bug is read anyway. On GitHub, an edited comment does not change the issue itself.
  if (!isThread || side === 'tracker' || linkOf(context, side, ref)?.state !== 'live') return;
  const read = await context[side].threads([{ ref, sinceAt: clock.now() - marginMs }]);
  const left = { left: asksMax };
  const threads: Thread[] = [];
  for (const thread of read) threads.push(await threadWithFirstTexts(context, thread, left));
  store.transaction(() => {
    for (const thread of threads) {
      const fresh = linkOf(context, side, thread.ref);
      if (fresh !== null) observeThread(context, fresh, side, thread, 'live');
    }
  });
}

/**
 * Whether a hint is left to the poll. A hint about a linked bug never is, since it may mean that the bug is now hidden.
 */
function isLeftToPoll(
  context: Pick<Context, 'route' | 'store' | 'clock' | 'unreadable'>,
  { side, ref }: ItemHint,
): boolean {
  if (side !== 'tracker' || linkOf(context, side, ref)?.state === 'live') return false;
  return context.unreadable.isLeft(ref, context.clock.now());
}

/** How many bugs and issues a cycle reads of those that could not be read. */
const unreadMax = 20;

/** Reads bugs and issues again that could not be read, one by one, as no list need show them. */
export async function readUnread(context: Context): Promise<void> {
  const { store, route } = context;
  const due = lateFirst(context, dueUnread(context), ({ side, ref }) => linkOf(context, side, ref)?.id);
  for (const row of due.slice(0, unreadMax)) {
    const link = linkOf(context, row.side, row.ref);
    // It went to another route, which reads it.
    if (link !== null && link.route !== route.name) store.setAside.remove(route.name, row.side, row.ref);
    else await spareAsync(context, workOnItem(row), () => readItem(context, row, link));
  }
}

/**
 * Has this cycle read the thread and the files from their beginning, as if they never had been: nothing else would ask
 * for what is known and did not change. Planning asks for the public view. What the route no longer asks for is no
 * longer missing.
 */
function askForPart(context: Context, row: SetAside, link: Link): void {
  const { store, route, files, anonymousReader } = context;
  const isAsked = { files: files !== null, public: anonymousReader !== null, thread: true, item: true, link: true };
  if (!isAsked[partOf(row)]) store.setAside.remove(route.name, row.side, row.ref);
  if (row.side === 'github') markDirty(context, link.id);
  else store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
}

async function readItem(context: Context, row: SetAside, link: Link | null): Promise<void> {
  const { store, route } = context;
  const { side, ref } = row;
  const hasParts = link?.state === 'live' && link.tracker !== null;
  if (hasParts && partOf(row) !== 'item') return askForPart(context, row, link);
  const probe = await probeItem(context, side, ref);
  if (probe instanceof SideError) setItemUnread(context, side, ref, probe);
  else if (probe.kind === 'gone') {
    if (link?.state === 'live') retire(context, link, side, probe.gone);
    store.setAside.remove(route.name, side, ref);
  } else {
    store.transaction(() => store.setAside.remove(route.name, side, ref));
    await observeFound(context, [probe.item], 'live');
  }
}
