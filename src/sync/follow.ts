import type { Context } from '../kernel/context.ts';
import { sameName } from '../links/named.ts';
import { linkOf, observeItem, observeThread } from '../links/observe.ts';
import { retire } from '../links/record-failure.ts';
import type { Hint } from '../model/control.ts';
import { bugId } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import type { Probe } from '../model/outcome.ts';

/** How far before a hint the comment that it speaks of may be stamped: clocks differ, and deliveries are late. */
const marginMs = 15 * 60_000;

/** Whether a hint may be about something of the route: a bug without a link is looked at by every route, unless it could not be read of late. */
export function isConcerned(context: Pick<Context, 'route' | 'store' | 'clock' | 'unreadable'>, hint: Hint): boolean {
  const { route, store } = context;
  const { side, ref, repo } = hint;
  if (side === 'github') return repo !== null && sameName(repo, `${route.owner}/${route.repo}`);
  const link = store.links.byBug(bugId(ref));
  return (link === null || link.route === route.name) && !isLeftToPoll(context, hint);
}

/**
 * Looks at the items that hints name, each by itself: lists lag behind, and never show what is deleted or hidden. The poll brings the
 * same again and finds nothing new, so a hint that is missed, forged or repeated costs a request and does no harm. Reads throw `SideError`.
 */
export async function follow(context: Context, hints: readonly Hint[]): Promise<void> {
  for (const same of Map.groupBy(hints, ({ side, ref }) => `${side} ${ref}`).values()) {
    const [first] = same;
    if (first !== undefined) await lookAt(context, { ...first, isThread: same.some(({ isThread }) => isThread) });
  }
}

async function lookAt(context: Context, hint: Hint): Promise<void> {
  const { store, clock, unreadable } = context;
  const { side, ref, isThread } = hint;
  // Another route may have found out a moment ago.
  if (isLeftToPoll(context, hint)) return;
  const probe: Probe<Item> = await context[side].probe(ref);
  const link = linkOf(context, side, ref);
  if (probe.kind === 'gone') {
    if (side === 'tracker') unreadable.add(ref, clock.now());
    if (link?.state === 'live') retire(context, link, side, probe.gone);
    return;
  }
  store.transaction(() => observeItem(context, probe.item, 'live'));
  // Of a bug that changed the thread is read anyway; an edited comment changes nothing that an issue shows of itself.
  if (!isThread || side === 'tracker' || linkOf(context, side, ref)?.state !== 'live') return;
  const threads = await context[side].threads([{ ref, sinceAt: clock.now() - marginMs }]);
  store.transaction(() => {
    for (const thread of threads) {
      const fresh = linkOf(context, side, thread.ref);
      if (fresh !== null) observeThread(context, fresh, side, thread, 'live');
    }
  });
}

/** Whether a hint is left to the poll. One about a bug that is kept in step never is: that it is hidden by now is what it may say. */
function isLeftToPoll(context: Pick<Context, 'route' | 'store' | 'clock' | 'unreadable'>, { side, ref }: Hint): boolean {
  if (side !== 'tracker' || linkOf(context, side, ref)?.state === 'live') return false;
  return context.unreadable.isLeft(ref, context.clock.now());
}
