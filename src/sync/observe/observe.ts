import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf, repoOf } from '../../kernel/linked.ts';
import { lineOf, markRead, receiptOf, seeComments, textsInDoubt } from '../../kernel/outbox.ts';
import { forgetSetAside, spare, wantThread } from '../../kernel/set-aside.ts';
import { forgetUnread, setUnread } from '../../kernel/unread.ts';
import { otherSide, type Side } from '../../model/ids.ts';
import { type Bug, type Comment, type Item, refOf, sideOf } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link, type NewLink, type Urgency } from '../../model/link.ts';
import type { ReportedComment } from '../../model/receipt.ts';
import type { Page, Thread } from '../../model/replica.ts';
import { withBodyBefore } from '../../rules/comments/body.ts';
import { joinedCommentLinks } from '../../rules/comments/join.ts';
import { isRemark } from '../../rules/comments/provenance.ts';
import { readThread, type ThreadReading } from '../../rules/comments/thread.ts';
import { githubLagMs } from '../../rules/limits/backoff.ts';
import { linkAfter, newlyLive } from '../../rules/links/life.ts';
import {
  claimOf,
  isMadeByUs,
  isWhole,
  joined,
  lacksEnd,
  match,
  mayBind,
  withPointers,
} from '../../rules/links/match.ts';
import { closeUnread, closeUnreadThread } from '../withdraw/close-unread.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { isCounted } from './counted.ts';
import { markDependentsDirty, resolveComment, retryRefused } from './mentions.ts';
import { mayTake, takeOver } from './take-moved.ts';
import { unlessAnother } from './went-back.ts';

/**
 * Stores the result of a read of one side, and marks the links that have to be planned.
 * @param early what earlier reads returned
 * @returns comments whose items no read has shown yet: nothing else brings them again, and without them later ones
 *   would overtake them. Lists are
 *   ten minutes late at most, so an older one is on an item that the route does not take.
 */
export function observe(
  context: Context,
  side: Side,
  { items, comments, readAt, failed = [] }: Page<Item>,
  urgency: Urgency,
  early: readonly Comment[] = [],
): readonly Comment[] {
  // Lists are ordered by change; links by when their items were made, which is the order in which counterparts are
  // made.
  const inOrder = items.toSorted((one, other) => refOf(one) - refOf(other));
  for (const item of inOrder) if (!isOverdue(context, item, readAt)) observeItem(context, item, urgency);
  for (const { ref, why } of failed) setUnread(context, 'item', ref, why);
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

/** Stores one item. Returns its link, or null when the route does not take it, or when it is set aside. */
export function observeItem(context: Context, item: Item, urgency: Urgency): Link | null {
  const work = { side: sideOf(item), ref: refOf(item), stage: 'read', of: 'item' } as const;
  const found = spare(context, { ...work, content: () => item }, () => ({ link: takeItem(context, item, urgency) }));
  if (found === null) closeUnread(context, item);
  else forgetSetAside(context, work);
  return found?.link ?? null;
}

function takeItem(context: Context, item: Item, urgency: Urgency): Link | null {
  const { route, store, session } = context;
  const side = sideOf(item);
  const ref = refOf(item);
  if (side === 'tracker') forgetUnread(context, 'item', ref);
  const had = unlessAnother(context, linkOf(context, side, ref), item);
  if (had !== null && mayTake(context, had, item)) takeOver(context, had, item);
  const own = linkOf(context, side, ref);
  const said = claimOf(route, item, session.own);
  const named = said === null ? null : linkOf(context, otherSide(side), said.ref);
  const claim = said === null ? null : { ...said, isOurs: said.isOurs || isAwaited(context, side, named) };
  const claimants = store.links.claiming(repoOf(context), otherSide(side), ref);
  const found = match(route, item, claim, { own, named, claimants }, session.own);
  if (found.kind === 'ignore') return null;
  if (found.kind === 'observe') return update(context, found.link, item, urgency);
  if (found.kind === 'bind') return bind(context, found.keep, found.absorb, item, urgency);
  // What we made twice names an end that has its pair: it waits, and gets no end of its own.
  const twin = claim?.isOurs === true && named !== null && isWhole(named) ? claim.ref : null;
  return store.links.add(withItem({ ...oneEnded(context, side), claim: found.claim ?? twin }, item, urgency));
}

/** Stores comments of one link, and marks the link dirty when they are news. */
export function observeThread(context: Context, link: Link, side: Side, thread: Thread, urgency: Urgency): void {
  const work = { side, ref: thread.ref, stage: 'read', of: 'thread' } as const;
  const isTaken = spare(context, { ...work, content: () => (thread.isWhole ? thread.comments : undefined) }, () => {
    takeThread(context, link, side, thread, urgency);
    return true;
  });
  if (isTaken === null && side === 'tracker') closeUnreadThread(context, link, thread);
  if (isTaken === null) markDirty(context, link.id);
  // A part of a thread says nothing of the rest.
  else if (thread.isWhole) forgetSetAside(context, work);
  else wantThread(context, side, thread.ref);
}

function takeThread(context: Context, link: Link, side: Side, thread: Thread, urgency: Urgency): void {
  const { route, store, session } = context;
  if (side === 'tracker' && thread.isWhole) forgetUnread(context, 'thread', thread.ref);
  if (link.state === 'tombstone') return;
  const isTooEarly = side === 'github' && thread.isWhole && mayLack(context, link, thread);
  const seen = isTooEarly ? { ...thread, isWhole: false } : thread;
  const reported = side === 'tracker' ? receiptOf(store, link.id).comments.flatMap(({ id }) => id ?? []) : [];
  const inDoubt = side === 'github' ? textsInDoubt(context, link.id) : [];
  const reading = readThread(route, link, store.commentLinks.ofLink(link.id), side, seen, {
    own: session.own[side],
    reported,
    inDoubt,
  });
  if (side === 'tracker') seeComments(context, link.id, isIn(context, link, thread));
  for (const commentLink of reading.add) store.commentLinks.add(commentLink);
  for (const commentLink of reading.save) store.commentLinks.save(commentLink);
  for (const commentLink of store.commentLinks.ofLink(link.id))
    if (isPairedBy(reading, commentLink)) resolveComment(context, link, commentLink);
  const isNews = reading.add.some((commentLink) => commentLink.state === 'pending') || reading.save.length > 0;
  const points = reading.isPointed && !link.pointed.tracker;
  if (isNews || points) {
    // A link in the backfill stays there: its comments are part of that.
    const wanted = link.urgency === 'none' ? urgency : link.urgency;
    store.links.save({ ...link, urgency: wanted, pointed: points ? { ...link.pointed, tracker: true } : link.pointed });
  }
  if (reading.claim !== null && link.issue === null) claimIssue(context, link, reading.claim);
  if (isTooEarly) markDirty(context, link.id);
}

/** Whether a thread shows a comment: by its id, or by what it says if the answer did not name it. */
function isIn({ route, session }: Context, link: Link, { comments }: Thread): (reported: ReportedComment) => boolean {
  const ids = new Set(comments.map(({ id }) => id));
  return ({ id, remark }) =>
    id === null ? comments.some((comment) => isRemark(route, link, comment, session.own.tracker, remark)) : ids.has(id);
}

/**
 * Whether the list may lack recent comments, ours or others', so that a missing comment does not mean that it was
 * deleted.
 */
function mayLack({ store, clock, limits }: Context, { id }: Link, { comments, readAt }: Thread): boolean {
  const copiedAt = clock.now() - limits.settleMs;
  const isCopied = store.ledger
    .ofLink(id)
    .some(({ on, kind, at }) => on === 'github' && kind === 'comment' && at > copiedAt);
  const listed = new Set(comments.map((comment) => comment.id));
  const saidAt = readAt - limits.settleMs;
  const said = store.commentLinks
    .ofLink(id)
    .filter(({ origin, source, createdAt }) => origin === 'github' && source !== bodyId && createdAt > saidAt);
  return isCopied || said.some(({ source }) => !listed.has(source));
}

/** Whether the read of the thread showed the comment's counterpart. */
const isPairedBy = ({ add, save }: ThreadReading, { origin, source, copy }: CommentLink): boolean =>
  copy !== null && [...add, ...save].some((each) => each.origin === origin && each.source === source);

/**
 * Whether the item is an outdated version. Lists may still show the version before our own last write; taken for an
 * edit, the old value would be mirrored, and then mirrored back. If a version stays older, an administrator has reset
 * the item, and it counts.
 */
function isOverdue(context: Context, item: Item, readAt: number): boolean {
  const link = linkOf(context, sideOf(item), refOf(item));
  const known = item.kind === 'bug' ? link?.tracker : link?.github;
  const lagMs = item.kind === 'bug' ? context.limits.settleMs : Math.max(context.limits.settleMs, githubLagMs);
  return known !== null && known !== undefined && item.changedAt < known.changedAt && readAt < known.changedAt + lagMs;
}

/**
 * Whether we wait for what we made for this link, on a side that does not say which account is ours: then its name must
 * do.
 */
function isAwaited({ store, session }: Context, side: Side, link: Link | null): boolean {
  if (session.own[side] !== null || link === null) return false;
  return store.outbox
    .ofLink(link.id)
    .some(({ operation: { kind, on }, state }) => kind === 'create' && on === side && state === 'sent');
}

/**
 * Binds a bug whose description says that we filed it from an issue to that issue's link; it waits for an issue that is
 * not known, or not taken.
 */
function claimIssue(context: Context, link: Link, claim: number): void {
  const { store, route, session } = context;
  const issueLink = linkOf(context, 'github', claim);
  const bug = link.tracker;
  if (bug === null || !(isMadeByUs(bug, session.own) || isAwaited(context, 'tracker', issueLink))) return;
  if (issueLink !== null && mayBind(route, issueLink, bug, session.own)) bindEnds(context, issueLink, link, bug);
  else if (issueLink === null || lacksEnd(route, issueLink, bug)) store.links.save({ ...link, claim, urgency: 'live' });
}

/** Makes one link of an issue's and a bug's. */
export function bindEnds(context: Context, issueLink: Link, { id }: Link, bug: Bug): void {
  bind(context, issueLink, context.store.links.byId(id), bug, 'live');
}

function update(context: Context, link: Link, item: Item, urgency: Urgency): Link {
  const before = item.kind === 'bug' ? link.tracker : link.github;
  const thawed = isThawedBy(link, item) ? thaw(link) : link;
  const isChanged = thawed !== link || before === null || JSON.stringify(before) !== JSON.stringify(item);
  // A link in the backfill whose item was merely read once more stays there.
  const isNews = isChanged || (link.urgency === 'none' && !isThreadRead(context, link, item));
  const shown = withPointers(context.route, withItem(unread(thawed, item), item, isNews ? urgency : 'none'));
  const seen = item.kind === 'issue' ? withSeenWithdrawal(context, link, shown) : shown;
  if (thawed !== link) context.store.ledger.add(lineOf(context, link, 'thaw', { reason: link.reason }));
  if (isNews) context.store.links.save(seen);
  if (item.kind === 'issue') retryRefused(context, link.github, item);
  if (item.kind === 'bug') markRead(context, link.id);
  keepBody(context, link, item);
  if (thawed !== link) markDependentsDirty(context, seen);
  return seen;
}

/** Keeps the body from before an edit by a person, which is seen here for the last time. */
function keepBody({ store }: Context, { id, github }: Link, item: Item): void {
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
function isThreadRead(context: Context, link: Link, item: Item): boolean {
  if (item.kind === 'bug')
    return link.threadReadAt !== null && item.changedAt + context.limits.settleMs < link.threadReadAt;
  return isCounted(context, link, item);
}

function bind(context: Context, keep: Link, absorb: Link | null, item: Item, urgency: Urgency): Link {
  const { store } = context;
  const both = absorb === null ? keep : joined(keep, absorb);
  const isUnaware = !isCreating(context, keep) && (absorb === null || !isCreating(context, absorb));
  const merged =
    absorb === null
      ? null
      : joinedCommentLinks(store.commentLinks.ofLink(keep.id), store.commentLinks.ofLink(absorb.id), keep);
  if (absorb !== null) {
    store.attachmentLinks.move(absorb.id, keep.id);
    store.pulls.move(absorb.id, keep.id);
    store.pushes.move(absorb.id, keep.id);
    store.links.remove(absorb.id);
  }
  const bound: Link = withPointers(context.route, { ...withItem(both, item, urgency), claim: null });
  store.links.save(bound);
  for (const commentLink of merged?.add ?? []) store.commentLinks.add(commentLink);
  for (const commentLink of merged?.save ?? []) store.commentLinks.save(commentLink);
  store.ledger.add(lineOf(context, bound, 'bind', { bug: bound.bug, issue: bound.issue }));
  if (isUnaware && isHalfOurs(context, bound)) store.olderPairs.mark(bound.id, context.clock.now());
  markDependentsDirty(context, bound);
  const seen = withSeenWithdrawal(context, null, bound);
  if (seen !== bound) store.links.save(seen);
  return seen;
}

/** Whether the bridge may have made the other end: a creation stays in the outbox until it is recorded. */
const isCreating = ({ store }: Context, { id }: Link): boolean =>
  store.outbox.ofLink(id).some(({ operation: { kind } }) => kind === 'create');

const isHalfOurs = ({ session: { own } }: Context, { tracker, github }: Link): boolean =>
  [tracker, github].some((end) => end !== null && isMadeByUs(end, own));

function withItem(link: Link, item: Item, urgency: Urgency): Link;
function withItem(link: NewLink, item: Item, urgency: Urgency): NewLink;
function withItem(link: NewLink, item: Item, urgency: Urgency): NewLink {
  const raised =
    link.urgency === 'live' || urgency === 'live'
      ? 'live'
      : link.urgency === 'backfill' || urgency === 'backfill'
        ? 'backfill'
        : 'none';
  if (item.kind === 'issue') return { ...link, issue: item.number, github: item, urgency: raised };
  return { ...link, bug: item.id, tracker: item, urgency: raised };
}

function oneEnded(context: Context, origin: Side): NewLink {
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
  };
}
