import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { comesFrom, isAwaited, linkOf, repoOf, withItem } from '../../kernel/linked.ts';
import { lineOf, markRead } from '../../kernel/outbox.ts';
import { forgetSetAside, setAsideUnmapped, spare } from '../../kernel/set-aside.ts';
import { forgetUnread, setUnread } from '../../kernel/unread.ts';
import { otherSide, type Side } from '../../model/ids.ts';
import { type Comment, type Issue, type Item, refOf, sideOf, stampMs } from '../../model/item.ts';
import type { Link, NewLink, Urgency } from '../../model/link.ts';
import type { Page } from '../../model/replica.ts';
import { withBodyBefore } from '../../rules/comments/body.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';
import { linkAfter, newlyLive } from '../../rules/links/life.ts';
import { claimOf, isWhole, match, withPointers } from '../../rules/links/match.ts';
import { lookReaderOf } from '../../rules/privacy/gate.ts';
import { askedFor } from '../settle/awaited.ts';
import { isInDoubt, noteUnknown, refuseOtherName, refuseOtherTracker } from '../settle/second-bridge.ts';
import { closeUnread } from '../withdraw/close-unread.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { bind, takeTransferred } from './bind-ends.ts';
import { markDependentsDirty, retryRefused } from './mentions.ts';
import { isCounted, observeThread } from './observe-thread.ts';
import { mayTake, takeBack, takeOver } from './take-moved.ts';
import { noteOlder, unlessAnew, unlessAnother } from './went-back.ts';

/**
 * Stores the result of a read of one side, and marks the links that have to be planned.
 * @param early what earlier reads returned
 * @returns comments whose items no read has shown yet: nothing else brings them again, and without them later ones
 *   would overtake them. Lists are
 *   ten minutes late at most, so an older one is on an item that the route does not take.
 */
export function observePage(
  context: Context,
  side: Side,
  { items, comments, readAt, failed = [] }: Page<Item>,
  urgency: Urgency,
  early: readonly Comment[] = [],
): readonly Comment[] {
  // Lists are ordered by change; links by when their items were made, which is the order in which counterparts are
  // made.
  const inOrder = items.toSorted((one, other) => refOf(one) - refOf(other));
  for (const item of inOrder) observeItem(context, item, urgency, readAt);
  for (const each of failed) {
    if (side === 'tracker') setUnread(context, 'item', each.ref, each.why);
    else if (each.of !== 'thread' || linkOf(context, side, each.ref) !== null)
      setAsideUnmapped(context, side, each, each.isOfSide ? 'side' : 'fault');
    if (side === 'github' && each.of === 'thread') askAgain(context, each.ref);
  }
  const inTime = [...early, ...comments].sort((one, other) => one.changedAt - other.changedAt);
  const latest = new Map(inTime.map((comment) => [comment.id, comment]));
  const waiting: Comment[] = [];
  for (const [ref, list] of Map.groupBy(latest.values(), (comment) => comment.ref)) {
    const link = linkOf(context, side, ref);
    if (link) observeThread(context, link, side, { ref, isWhole: false, comments: list, readAt }, urgency);
    else waiting.push(...list.filter(({ createdAt }) => createdAt > readAt - githubLagMs));
  }
  return waiting;
}

/** Has the next cycle read the thread of an issue: nothing else would say that GitHub answers by now. */
export function askAgain(context: RouteState, ref: number): void {
  const link = linkOf(context, 'github', ref);
  if (link !== null) markDirty(context, link.id);
}

/** The next greeting asks for the components again, which may have other names. */
function isOfUnknownComponent({ session: { vocabulary } }: Context, item: Item): boolean {
  const component = item.kind === 'bug' ? item.values.component : undefined;
  return component !== undefined && vocabulary.components?.includes(component) === false;
}

/**
 * Stores one item. Returns its link, or null when the route does not take it, or when it is set aside.
 * @param listedAt when a list showed it, which may show an outdated version
 */
export function observeItem(
  context: Context,
  item: Item,
  urgency: Urgency,
  listedAt = Number.POSITIVE_INFINITY,
): Link | null {
  const work = { side: sideOf(item), ref: refOf(item), stage: 'read', of: 'item' } as const;
  const found = spare(context, { ...work, content: () => item }, () =>
    isOverdue(context, item, listedAt) ? 'overdue' : { link: takeListed(context, item, urgency, listedAt) },
  );
  if (found === 'overdue') return null;
  if (found?.link && context.store.olderPairs.get(found.link.id) !== null)
    context.lookTurns.read[work.side].add(found.link.id);
  if (found === null) {
    closeUnread(context, item);
    claimUnread(context, item);
  } else forgetSetAside(context, work);
  return found?.link ?? null;
}

function takeListed(context: Context, item: Item, urgency: Urgency, listedAt: number): Link | null {
  if (Number.isFinite(listedAt) && isOfUnknownComponent(context, item)) context.store.greetings.clear();
  return takeItem(context, item, urgency);
}

/** The counterpart of an item that could not be stored waits for it: it would get another one otherwise. */
function claimUnread(context: Context, item: Item): void {
  const { store, route, session } = context;
  const side = sideOf(item);
  // What never ended is not asked anything again.
  if (store.setAside.get(route.name, side, refOf(item))?.cause === 'hang') return;
  try {
    const claim = claimOf(route, item, session.own);
    const named = claim?.isOurs === true ? linkOf(context, otherSide(side), claim.ref) : null;
    if (named !== null && !isWhole(named) && named.claim === null) store.links.save({ ...named, claim: refOf(item) });
  } catch {
    // The item is set aside for that already.
  }
}

/** Takes an issue anew that was not transferred, as GitHub says by now: what its marker names counts. */
export function takeUntransferred(context: Context, { id, urgency }: Link, issue: Issue): Link | null {
  context.store.links.remove(id);
  return takeItem(context, issue, urgency, true);
}

function takeItem(context: Context, item: Item, urgency: Urgency, isFromHere = false): Link | null {
  const { route, store, session } = context;
  const side = sideOf(item);
  const ref = refOf(item);
  const known = linkOf(context, side, ref);
  if (side === 'tracker') forgetUnread(context, 'item', ref);
  // Lists do not show it to the route that has it.
  if (side === 'tracker' && known?.takenFrom === route.selection.product)
    forgetUnread(context, 'item', ref, known.route);
  const had = unlessAnother(context, known, item);
  if (had !== null && mayTake(context, had, item)) takeOver(context, had, item);
  if (item.kind === 'bug' && linkOf(context, side, ref) === null) takeBack(context, item);
  const own = linkOf(context, side, ref);
  // GitHub has to say first whether people transferred the issue here: then it keeps its pair.
  const isUnasked = own === null || (own.bug === null && own.claim === null);
  const from = isUnasked && item.kind === 'issue' && !isFromHere ? comesFrom(context, item) : [];
  const said = from.length > 0 ? null : claimOf(route, item, session.own);
  const named = said === null ? null : linkOf(context, otherSide(side), said.ref);
  if (own === null) refuseOtherName(context, item);
  if (own === null && said !== null) refuseOtherTracker(context, item);
  const isNew = own === null && item.kind === 'issue' && said?.isOurs === true;
  const pair = isNew ? takeTransferred(context, item, said.ref, urgency) : null;
  if (pair !== null) return pair;
  const claim = said === null ? null : { ...said, isOurs: said.isOurs || isAwaited(context, side, named) };
  const claimants = store.links.claiming(repoOf(context), otherSide(side), ref);
  const found = match(route, item, claim, { own, named, claimants }, session.own);
  if (found.kind === 'ignore') {
    return from.length > 0 ? store.links.add(withItem(oneEnded(context, side), item, urgency)) : null;
  }
  if (found.kind === 'observe') return update(context, found.link, item, urgency);
  const begin = (claim: number | null): Link =>
    store.links.add(withItem({ ...oneEnded(context, side), claim }, item, urgency));
  if (found.kind === 'bind') {
    const { keep, absorb } = found;
    let apart = absorb;
    if (unlessAnew(context, keep, item, () => (apart ??= begin(null))))
      return bind(context, keep, absorb, item, urgency);
    return store.links.byId((apart ?? begin(null)).id);
  }
  // What we made twice names an end that has its pair: it waits, and gets no end of its own.
  const isTwin = found.claim === null && claim?.isOurs === true && named !== null && isWhole(named);
  const twin = isTwin ? claim.ref : null;
  if (twin !== null && named !== null && !isInDoubt(context, named)) noteUnknown(context, side, item);
  return begin(found.claim ?? twin ?? (item.kind === 'issue' ? askedFor(context, item) : null));
}

/**
 * Whether the item is an outdated version. Lists may still show the version before our own last write; taken for an
 * edit, the old value would be mirrored, and then mirrored back. If a version stays older, an administrator has reset
 * the item, and it counts.
 */
function isOverdue(context: RouteState, item: Item, readAt: number): boolean {
  const link = linkOf(context, sideOf(item), refOf(item));
  const known = item.kind === 'bug' ? link?.tracker : link?.github;
  const lagMs = item.kind === 'bug' ? context.limits.settleMs : Math.max(context.limits.settleMs, githubLagMs);
  if (known === null || known === undefined || item.changedAt >= known.changedAt) return false;
  return readAt < known.changedAt + stampMs + lagMs;
}

function update(context: Context, link: Link, item: Item, urgency: Urgency): Link {
  const before = item.kind === 'bug' ? link.tracker : link.github;
  if (item.kind === 'bug') noteOlder(context, link, item);
  const thawed = isThawedBy(link, item) ? thaw(link) : link;
  const isChanged = thawed !== link || before === null || JSON.stringify(before) !== JSON.stringify(item);
  // A link in the backfill whose item was merely read once more stays there.
  const isNews = isChanged || (link.urgency === 'none' && !isThreadRead(context, link, item));
  const current = withItem(unread(thawed, item), item, isNews ? urgency : 'none');
  const shown = link.route === context.route.name ? withPointers(context.route, arrived(context, current)) : current;
  const seen = item.kind === 'issue' ? withSeenWithdrawal(context, link, shown) : shown;
  if (thawed !== link) context.store.ledger.add(lineOf(context, link, 'thaw', { reason: link.reason }));
  if (isNews) context.store.links.save(seen);
  // Nobody looked meanwhile whether its bug is still shown.
  const isUnwatched = thawed !== link && item.kind === 'issue' && link.bug !== null;
  if (isUnwatched && lookReaderOf(context.route) !== null) context.store.looks.miss(link);
  if (item.kind === 'issue') retryRefused(context, link.github, item);
  if (item.kind === 'bug') markRead(context, link.id);
  keepBody(context, link, item);
  if (thawed !== link) markDependentsDirty(context, seen);
  return seen;
}

/** A bug that followed its issue is a bug of the route like any other. */
const arrived = ({ route }: RouteState, link: Link): Link =>
  link.tracker?.product === route.selection.product ? { ...link, takenFrom: null } : link;

/** Keeps the body from before an edit by a person, which is seen here for the last time. */
function keepBody({ store }: RouteState, { id, github }: Link, item: Item): void {
  if (item.kind === 'bug' || github === null || github.body === item.body) return;
  const copy = withBodyBefore(store.commentLinks.ofLink(id), github, item);
  if (copy !== null) store.commentLinks.save(copy);
}

/**
 * The thread of a changed bug has to be read from its last version on. The stamps are the tracker's own; the time of
 * the read may come from another clock, and must not make a change look old.
 */
function unread(link: Link, item: Item): Link {
  if (item.kind !== 'bug' || link.tracker === null || link.threadReadAt === null) return link;
  if (item.changedAt === link.tracker.changedAt) return link;
  return { ...link, threadReadAt: Math.min(link.threadReadAt, link.tracker.changedAt, item.changedAt) };
}

/**
 * A bug that was hidden is read from its beginning, and its visibility checked again, before anything of it is
 * published.
 */
function thaw(link: Link): Link {
  const thawed = linkAfter(link, { kind: 'shown' });
  return link.frozenBy === 'tracker' ? { ...thawed, threadReadAt: null, visibility: null } : thawed;
}

/** Whether a frozen link thaws: the side that froze it shows its item again. */
function isThawedBy(link: Link, item: Item): boolean {
  return link.state === 'frozen' && link.frozenBy === sideOf(item) && !(item.kind === 'bug' && item.isPrivate);
}

/**
 * Whether the thread is up to date. Stamps have whole seconds and show up late: a thread read shortly after the last
 * change may lack a comment.
 */
function isThreadRead(context: RouteState, link: Link, item: Item): boolean {
  if (item.kind === 'bug')
    return link.threadReadAt !== null && item.changedAt + context.limits.settleMs < link.threadReadAt;
  return isCounted(context, link, item);
}

/** A new link with neither end yet. */
export function oneEnded(context: Pick<Context, 'route'>, origin: Side): NewLink {
  return {
    route: context.route.name,
    repo: repoOf(context),
    origin,
    bug: null,
    issue: null,
    ...newlyLive,
    base: null,
    tracker: null,
    github: null,
    urgency: 'none',
    threadReadAt: null,
    claim: null,
    pointed: { tracker: false, github: false },
    visibility: null,
    isWithdrawn: false,
    movedTo: null,
    takenFrom: null,
    formerly: [],
  };
}
