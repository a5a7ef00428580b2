/**
 * Reads both sides: what their lists of changes show, the first full list, single items that webhooks name, and whether
 * mirrored bugs are still shown.
 */

import type { Context, LookTurns } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf } from '../../kernel/linked.ts';
import { workOn } from '../../kernel/set-aside.ts';
import { spareAsync } from '../../kernel/spare-async.ts';
import { ofItem } from '../../kernel/unread.ts';
import type { Hint, ItemHint } from '../../model/control.ts';
import { bugId, type LinkId, type Side, sides } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import { sameName } from '../../model/named.ts';
import { type Probe, SideError } from '../../model/outcome.ts';
import type { CursorRow } from '../../model/replica.ts';
import type { Route } from '../../model/route.ts';
import type { Look, LookReader, MirroredBug } from '../../model/survey.ts';
import { bugDigest, lookReaderOf, whyHidden, whyRefused } from '../../rules/privacy/gate.ts';
import { retire } from '../perform/record-failure.ts';
import { lookAtHidden } from './chase.ts';
import { withNewest } from './newest.ts';
import { observe, observeItem, observeThread } from './observe.ts';
import { observePulls } from './pulls.ts';
import { observePush } from './pushes.ts';
import { lookAtBug } from './read-threads.ts';

/** How many pages of the first full read one cycle takes, so that live changes never wait long. */
const listPagesPerCycle = 20;

/**
 * Reads changes on both sides, and names where a hint says so. A cursor is stored together with the observations that
 * it covers.
 */
export async function poll(context: Context, hints: readonly Hint[] = []): Promise<void> {
  for (const side of sides) {
    const isRenamed = hints.some((hint) => hint.ref === null && hint.side === side);
    await pollChanges(context, side, isRenamed);
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
  const shown = await context[side].changes(row.changes, isRenamed);
  const page = { ...shown, items: await withNewest(context, shown) };
  store.transaction(() => {
    const early = observe(context, side, page, 'live', row.early);
    if (route.pulls !== undefined && page.pulls !== undefined) observePulls(context, page.pulls);
    if (route.commits !== undefined && page.push) observePush(context, route.commits, page.push);
    store.cursors.put(route.name, side, { ...row, changes: page.cursor, polledAt, readAt: page.readAt, early });
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
      const early = observe(context, side, page, 'backfill', row.early);
      store.cursors.put(route.name, side, { ...row, listing: page.next, isComplete: page.next === null, early });
    });
    await lookAtHidden(context, page.items);
    context.tell({ kind: 'polled', route: route.name, side, items: page.items.length, comments: page.comments.length });
  }
}

const unread: CursorRow = {
  changes: null,
  listing: null,
  isComplete: false,
  polledAt: 0,
  readAt: 0,
  sweptAt: null,
  early: [],
};

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
 * Reads the items that hints name, one by one: lists lag behind, and never show that an item was deleted or hidden. The
 * next poll brings the same items again without news, so a forged or repeated hint costs a request, and a missed one,
 * or one that fails, does no harm.
 */
export async function follow(context: Context, hints: readonly Hint[]): Promise<void> {
  const onItems = hints.filter((hint) => hint.ref !== null);
  for (const same of Map.groupBy(onItems, ({ side, ref }) => `${side} ${ref}`).values()) {
    const [first] = same;
    if (first !== undefined)
      await lookAt(context, { ...first, isThread: same.some(({ isThread }) => isThread) }).catch(ofItem);
  }
}

const lookAt = (context: Context, hint: ItemHint): Promise<unknown> =>
  spareAsync(context, { ...hint, stage: 'read', of: 'item', content: () => undefined }, () =>
    followHint(context, hint),
  );

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

/**
 * How many bugs a cycle looks at in turn, and how many of those that changed last it looks at each time. One request
 * takes them all.
 */
const [inTurnMax, freshMax] = [500, 50];

/** @param routes all routes of one tracker that run in this process */
export function lookTurns(routes: readonly Route[]): LookTurns {
  const looks = new Map<LookReader | null, number>();
  const lastTurn = new Map<string, number>();
  const count = (route: Route): number => looks.get(lookReaderOf(route)) ?? 0;
  return {
    sharing: (route) => routes.filter((each) => lookReaderOf(each) === lookReaderOf(route)).map(({ name }) => name),
    isDue(route) {
      const isDue = (lastTurn.get(route.name) ?? 0) === count(route);
      lastTurn.set(route.name, count(route));
      return isDue;
    },
    moved: new Map(),
    looked(route) {
      looks.set(lookReaderOf(route), count(route) + 1);
      lastTurn.set(route.name, count(route));
    },
  };
}

/**
 * Looks whether mirrored bugs are still shown as they were, as no list of changes shows what has left it: some of them,
 * so that all have had their turn after a known number of cycles. Then settles what became of the bugs of this route
 * that were missed. Throws `SideError`.
 */
export async function lookAtMirrored(context: Context): Promise<void> {
  const { route, lookTurns: turns } = context;
  const reader = lookReaderOf(route);
  if (reader === null) return;
  if (turns.isDue(route)) {
    await lookInTurn(context, reader, turns.sharing(route));
    turns.looked(route);
  }
  await settleMissed(context);
}

async function lookInTurn(context: Context, reader: LookReader, routes: readonly string[]): Promise<void> {
  const { store, clock, anonymousReader, tracker, limits, lookTurns } = context;
  const inTurn = store.looks.inTurn(reader, routes, inTurnMax);
  if (inTurn.length === 0) return;
  const fresh = store.looks.fresh(routes, freshMax);
  const ask = { inTurn: inTurn.map(({ bug }) => bug), fresh: fresh.map(({ bug }) => bug) };
  const at = clock.now();
  const found = await (anonymousReader ?? tracker).lookAt(ask).catch((failure: unknown) => refused(context, failure));
  const bugs = [...new Map([...fresh, ...inTurn].map((each) => [each.bug, each])).values()].filter(({ bug }) =>
    found.asked.has(bug),
  );
  // Since when all were looked at then tells that something is wrong.
  if (await isWrong(context, found)) return;
  const isLap = found.reached === inTurn.length && inTurn.length < inTurnMax;
  const { missed, moved } = missedOf(bugs, found, limits.brakeShare);
  for (const { id } of bugs) lookTurns.moved.delete(id);
  for (const { id, product } of moved) lookTurns.moved.set(id, product);
  store.transaction(() => {
    for (const each of missed) store.looks.miss(each);
    for (const { id } of moved) markDirty(context, id);
    store.looks.moveOn(reader, isLap ? null : (inTurn[found.reached - 1]?.bug ?? null), at);
  });
}

/**
 * A reader without an account has no credentials that could be wrong: the tracker shows such readers nothing. Always
 * throws.
 */
function refused({ route, anonymousReader }: Context, failure: unknown): never {
  if (anonymousReader === null || !(failure instanceof SideError) || failure.kind !== 'unauthorized') throw failure;
  throw new SideError('refused', whyRefused(route, { isPrivate: null, isServed: false }) ?? failure.message, {
    side: 'tracker',
  });
}

/** A list of so many bugs that shows none of them is doubted, and as many of them are asked for by their numbers. */
const [doubtedMin, triedMax] = [10, 3];

/** Whether the tracker shows bugs by their numbers while a list shows nothing at all. Throws `SideError`. */
async function isWrong({ anonymousReader, tracker }: Context, { asked, shown }: Look): Promise<boolean> {
  if (shown.size > 0 || asked.size < doubtedMin) return false;
  for (const bug of [...asked].slice(0, triedMax)) {
    const probe = anonymousReader === null ? await tracker.probe(bug) : null;
    const isShown =
      probe === null
        ? (await anonymousReader?.access(bug)) === 'shown'
        : probe.kind === 'there' && !probe.item.isPrivate;
    if (!isShown) return false;
  }
  return true;
}

/**
 * Bugs that are not shown, or not as they were. If all of a route seem to have moved at once, or very many, the full
 * comparison looks why.
 */
function missedOf(
  bugs: readonly MirroredBug[],
  { shown }: Look,
  brakeShare: number,
): Record<'missed' | 'moved', readonly MirroredBug[]> {
  const isHidden = ({ bug }: MirroredBug): boolean => !shown.has(bug);
  const isMoved = (each: MirroredBug): boolean => !isHidden(each) && shown.get(each.bug) !== each.product;
  const ofRoutes = [...Map.groupBy(bugs, ({ route }) => route).values()].map((ofRoute) => ({
    found: ofRoute.filter(isMoved),
    of: ofRoute.length,
  }));
  const isLeft = ({ found, of }: (typeof ofRoutes)[number]): boolean =>
    found.length > Math.max(1, of * brakeShare) && (found.length === of || found.length > fewMoves);
  const [left, few] = [ofRoutes.filter(isLeft), ofRoutes.filter((each) => !isLeft(each))];
  return {
    missed: [...bugs.filter(isHidden), ...few.flatMap(({ found }) => found)],
    moved: left.flatMap(({ found }) => found),
  };
}

/**
 * So many bugs of a route may move at once while others stay; so many failures before any answer mean that the tracker
 * does not answer at all.
 */
const [fewMoves, failuresMax] = [20, 3];

/**
 * A bug that cannot be read stays missed, and takes no other's turn. Throws `SideError` if the tracker answers about
 * none.
 */
async function settleMissed(context: Context): Promise<void> {
  const count = { settled: 0, failed: 0 };
  for (const id of context.store.looks.missed(context.route.name)) {
    try {
      await settle(context, id);
      count.settled += 1;
    } catch (failure) {
      count.failed += 1;
      if (isAboutAll(failure) || (count.settled === 0 && count.failed >= failuresMax)) throw failure;
    }
  }
}

const isAboutAll = (failure: unknown): boolean =>
  !(failure instanceof SideError) || failure.kind === 'unauthorized' || failure.at !== null;

/**
 * A list may show too little, so each missed bug is asked for by its number: first by our account, which learns whether
 * it was deleted, hidden or moved. If the account is shown it as before, or cannot read it, the anonymous reader
 * decides. A bug that does not exist is left to the full comparison: if many are missing, the tracker has lost its data
 * or is another one, and only the full comparison counts them.
 */
async function settle(context: Context, id: LinkId): Promise<void> {
  const link = context.store.links.byId(id);
  if (link === null) context.store.looks.settle(id);
  else await spareAsync(context, workOn(context, link, 'read'), () => settleLink(context, id));
}

async function settleLink(context: Context, id: LinkId): Promise<void> {
  const { store, route, clock, anonymousReader } = context;
  const answer = await askAsAccount(context, id).catch((failure: unknown) => ({ failure }));
  if (answer === 'left') return store.looks.settle(id);
  if (answer !== 'seen' && isAboutAll(answer.failure)) throw answer.failure;
  const link = store.links.byId(id);
  const isOpen = link?.state === 'live' && link.tracker !== null && whyHidden(route, link) === null;
  const access =
    isOpen && anonymousReader !== null && link.bug !== null ? await anonymousReader.access(link.bug) : 'shown';
  if (answer !== 'seen' && access !== 'hidden') throw answer.failure;
  store.transaction(() => {
    if (isOpen && access !== 'shown' && link.tracker !== null) {
      const visibility = { isShown: false, at: clock.now(), of: bugDigest(link.tracker), details: {}, labels: [] };
      store.links.save({ ...link, visibility, urgency: 'live' });
    }
    // Its comments and files are to be checked again.
    markDirty(context, id);
    store.looks.settle(id);
  });
}

/** Whether the bug was read, and recorded as it is now, or is left to the full comparison. Throws `SideError`. */
async function askAsAccount(context: Context, id: LinkId): Promise<'seen' | 'left'> {
  const link = context.store.links.byId(id);
  if (link === null || link.bug === null) return 'seen';
  const probe: Probe<Item> | null = link.state === 'live' ? await context.tracker.probe(link.bug) : null;
  if (probe?.kind === 'gone' && probe.gone.kind !== 'hidden' && link.issue !== null) return 'left';
  await lookAtBug(context, link.bug, probe);
  return 'seen';
}
