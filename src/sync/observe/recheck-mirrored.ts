/** Checks in turn whether mirrored bugs are still shown: no list of changes says that a bug was hidden. */

import type { Context, LookTurns } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { NoTime, urgently } from '../../kernel/patience.ts';
import { spareAsync, spareOf, workOn } from '../../kernel/set-aside.ts';
import { isOfItem, ofItem, setItemUnread } from '../../kernel/unread.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import { sameName } from '../../model/named.ts';
import { type Probe, SideError } from '../../model/outcome.ts';
import type { Route } from '../../model/route.ts';
import type { Look, LookReader, MirroredBug } from '../../model/survey.ts';
import { bugDigest, lookReaderOf, whyHidden, whyRefused } from '../../rules/privacy/gate.ts';
import { lookAtBug } from './read-threads.ts';
import { newestPairs, unlessLost } from './went-back.ts';

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
    productOf: (name) => routes.find((each) => each.name === name)?.selection.product ?? null,
    isShared: ({ name, owner, repo }, product) =>
      routes.some(
        (each) =>
          each.name !== name && each.owner === owner && each.repo === repo && each.selection.product === product,
      ),
    routesOf: (of) => routes.filter(({ owner, repo }) => sameName(of, `${owner}/${repo}`)).map(({ name }) => name),
    moved: new Map(),
    places: new Map(),
    asked: new Set(),
    unasked: new Set(),
    untold: new Set(),
    valuesAskedAt: new Map(),
    read: { tracker: new Set(), github: new Set() },
    opened: new Map(),
    compared: new Map(),
    paces: new Map(),
    waiting: new Set(),
    unanswered: new Set(),
    late: new Map(),
    slow: new Set(),
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
export async function recheckMirrored(given: Context): Promise<void> {
  const context = urgently(given);
  const { route, lookTurns: turns } = context;
  const reader = lookReaderOf(route);
  if (reader === null) return;
  if (turns.isDue(route)) {
    await recheckInTurn(context, reader, turns.sharing(route));
    turns.looked(route);
  }
  await resolveMissed(context);
}

async function recheckInTurn(context: Context, reader: LookReader, routes: readonly string[]): Promise<void> {
  const { store, clock, anonymousReader, tracker, limits, lookTurns } = context;
  const inTurn = store.looks.inTurn(reader, routes, inTurnMax);
  if (inTurn.length === 0) return;
  const fresh = [...store.looks.fresh(routes, freshMax), ...store.looks.newest(routes, newestPairs)];
  const ask = { inTurn: inTurn.map(({ bug }) => bug), fresh: [...new Set(fresh.map(({ bug }) => bug))] };
  const at = clock.now();
  const found = await (anonymousReader ?? tracker).lookAt(ask).catch((failure: unknown) => refused(context, failure));
  const bugs = [...new Map([...fresh, ...inTurn].toReversed().map((each) => [each.bug, each])).values()].filter(
    ({ bug }) => found.asked.has(bug),
  );
  // Since when all were looked at then tells that something is wrong.
  if (await isWrong(context, found)) return;
  const stale = bugs.filter(({ bug, product, route }) => {
    const shown = found.shown.get(bug)?.product;
    return shown !== undefined && shown !== product && shown === lookTurns.productOf(route);
  });
  const isLap = found.reached === inTurn.length && inTurn.length < inTurnMax;
  const { missed, moved } = missedOf(
    bugs.filter((each) => !stale.includes(each)),
    found,
    limits.brakeShare,
  );
  for (const { id } of bugs) lookTurns.moved.delete(id);
  for (const { id, product } of moved) lookTurns.moved.set(id, product);
  store.transaction(() => {
    for (const each of stale) keepProduct(context, each.id, found.shown.get(each.bug)?.product ?? each.product);
    for (const each of [...missed, ...bugs.filter((bug) => isOlder(context, bug, found))]) store.looks.miss(each);
    for (const { id } of moved) markDirty(context, id);
    store.looks.moveOn(reader, isLap ? null : (inTurn[found.reached - 1]?.bug ?? null), at);
  });
}

/** Whether a bug is shown as it was before we knew it: the tracker has gone back, or it answers late. */
function isOlder({ clock, limits }: Context, { bug, changedAt = 0 }: MirroredBug, { shown }: Look): boolean {
  const at = shown.get(bug)?.changedAt ?? null;
  return at !== null && at < changedAt && changedAt + limits.settleMs < clock.now();
}

/** The bug is in the product of its route, which had another name, or the bug has come back. */
function keepProduct({ store }: Context, id: LinkId, product: string): void {
  const link = store.links.byId(id);
  if (link === null || link.tracker === null) return;
  if (link.movedTo === null) store.links.save({ ...link, tracker: { ...link.tracker, product } });
  else store.looks.miss(link);
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
  const isMoved = (each: MirroredBug): boolean => !isHidden(each) && shown.get(each.bug)?.product !== each.product;
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
 * A bug that cannot be read stays missed, and comes after the others in the next cycle. If the tracker answers about
 * none, no more are asked for. Throws `SideError` if that is so for the first time: it may not answer at all.
 */
async function resolveMissed(context: Context): Promise<void> {
  const { store, route } = context;
  const count = { settled: 0, failed: 0 };
  const lost = new Set<LinkId>();
  const bugs = new Map(store.looks.missed(route.name).map((id) => [id, store.links.byId(id)?.bug ?? 0]));
  const retryAts = new Map(
    store.setAside
      .ofRoute(route.name)
      .flatMap(({ side, ref, retryAt }) => (side === 'tracker' ? [[ref, retryAt]] : [])),
  );
  const hasFailed = [...bugs.values()].some((bug) => retryAts.has(bug));
  for (const [id, bug] of [...bugs].sort(
    ([, one], [, other]) => (retryAts.get(one) ?? 0) - (retryAts.get(other) ?? 0),
  )) {
    try {
      if ((await resolveOne(context, id)) === 'lost') lost.add(id);
      count.settled += 1;
    } catch (failure) {
      const known = ofItem(failure);
      spareOf(context, id, 'read', () => setItemUnread(context, 'tracker', bug, known));
      count.failed += 1;
      if (count.settled > 0 || count.failed < failuresMax) continue;
      if (hasFailed) break;
      throw failure;
    }
  }
  if (lost.size > 0) await unlessLost(context, ({ id }) => lost.has(id));
}

/**
 * A list may show too little, so each missed bug is asked for by its number: first by our account, which learns whether
 * it was deleted, hidden or moved. If the account is shown it as before, or cannot read it, the anonymous reader
 * decides. A bug that does not exist is left to the full comparison: if many are missing, the tracker has lost its data
 * or is another one, and only the full comparison counts them.
 */
async function resolveOne(context: Context, id: LinkId): Promise<'lost' | 'left' | 'settled'> {
  const link = context.store.links.byId(id);
  if (link !== null)
    return (await spareAsync(context, workOn(context, link, 'read'), () => resolveLink(context, id))) ?? 'left';
  context.store.looks.settle(id);
  return 'settled';
}

async function resolveLink(context: Context, id: LinkId): Promise<'lost' | 'left' | 'settled'> {
  const { store, route, clock, anonymousReader } = context;
  const answer = await askAsAccount(context, id).catch((failure: unknown) => ({ failure }));
  if (answer === 'left' || answer === 'lost') {
    store.looks.settle(id);
    return answer;
  }
  if (answer !== 'seen' && !isOfItem(answer.failure)) throw answer.failure;
  const link = store.links.byId(id);
  const isOpen = link?.state === 'live' && link.tracker !== null && whyHidden(route, link) === null;
  // Without time for a second question, the first answer counts.
  const inTime = (failure: unknown): never => {
    throw failure instanceof NoTime && answer !== 'seen' ? answer.failure : failure;
  };
  const access =
    isOpen && anonymousReader !== null && link.bug !== null
      ? await anonymousReader.access(link.bug).catch(inTime)
      : 'shown';
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
  return 'settled';
}

/** Whether the bug was read, and recorded as it is now, or is left to the full comparison. Throws `SideError`. */
async function askAsAccount(context: Context, id: LinkId): Promise<'seen' | 'left' | 'lost'> {
  const link = context.store.links.byId(id);
  if (link === null || link.bug === null) return 'seen';
  const probe: Probe<Item> | null = link.state === 'live' ? await context.tracker.probe(link.bug) : null;
  if (probe?.kind === 'gone' && probe.gone.kind !== 'hidden' && link.issue !== null)
    return probe.gone.kind === 'moved' ? 'left' : 'lost';
  await lookAtBug(context, link.bug, probe);
  return 'seen';
}
