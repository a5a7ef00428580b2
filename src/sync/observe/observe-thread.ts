import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { isAwaited, linkOf } from '../../kernel/linked.ts';
import { receiptOf, seeComments, textsInDoubt } from '../../kernel/outbox.ts';
import { forgetSetAside, type Work, wantThread } from '../../kernel/set-aside.ts';
import { type LeftOut, none, type Part, spareParts } from '../../kernel/spare-comments.ts';
import { forgetUnread } from '../../kernel/unread.ts';
import type { Side } from '../../model/ids.ts';
import type { Comment, Issue } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link, type Urgency } from '../../model/link.ts';
import { isBy } from '../../model/people.ts';
import type { ReportedComment } from '../../model/receipt.ts';
import type { Thread } from '../../model/replica.ts';
import { expectedCommentCount, isErasedByUs } from '../../rules/comments/missing.ts';
import { goneBack } from '../../rules/comments/our-comment.ts';
import { isRemark, isSaying, provenanceOf } from '../../rules/comments/provenance.ts';
import { readThread, type ThreadReading } from '../../rules/comments/thread.ts';
import { githubLagMs, stampsMs } from '../../rules/limits/backoff.ts';
import { isMadeByUs, lacksEnd, mayBind } from '../../rules/links/match.ts';
import { noteCopies } from '../settle/second-bridge.ts';
import { noteMoved } from '../settle/seen-cutover.ts';
import { closeUnreadThread } from '../withdraw/close-unread.ts';
import { hideOldComments } from '../withdraw/follow-bugs.ts';
import { bindEnds, bindFiled, waitingFor } from './bind-ends.ts';
import { resolveComment } from './mentions.ts';
import { hasGoneBack, unlessAnew } from './went-back.ts';

/** Stores comments of one link, and marks the link dirty when they are news. */
export function observeThread(context: Context, link: Link, side: Side, thread: Thread, urgency: Urgency): void {
  const work = { side, ref: thread.ref, stage: 'read', of: 'thread' } as const;
  let unread: LeftOut = none;
  const { comments, isWhole } = thread;
  const whole = { ...work, content: () => (isWhole ? comments : undefined) };
  const parts = () => partsIn(context, link, comments, work);
  const isTaken = spareParts(context, { whole, parts, of: [work], areAll: isWhole }, (left) => {
    unread = left;
    takeThread(context, link, side, without(thread, left), urgency);
    return true;
  });
  if (side === 'tracker' && isTaken === null) closeUnreadThread(context, link, thread);
  else if (side === 'tracker' && unread.size > 0) closeUnreadThread(context, link, only(thread, unread));
  if (isTaken === null) markDirty(context, link.id);
  // A part of a thread says nothing of the rest.
  else if (thread.isWhole) forgetSetAside(context, work);
  else wantThread(context, side, thread.ref);
}

/**
 * What is not known yet is no part of a thread if it is a description, as its issue would be made without words, or our
 * own: it may be the copy that is in doubt, which would be written a second time.
 */
function partsIn(
  { store, session: { own } }: Context,
  link: Link,
  comments: readonly Comment[],
  work: Pick<Work, 'side' | 'ref' | 'stage' | 'of'>,
): readonly Part[] {
  const { side } = work;
  const isOurs = ({ author }: Comment): boolean => own[side] === null || isBy(author, own[side]);
  const rows = store.commentLinks.ofLink(link.id);
  const known = new Set(rows.flatMap(({ origin, source, copy }) => (origin === side ? source : (copy?.id ?? []))));
  return comments
    .filter((comment) => known.has(comment.id) || (comment.count !== 0 && !isOurs(comment)))
    .map((comment) => ({ id: comment.id, work: { ...work, comment: comment.id, content: () => comment } }));
}

/** The thread without comments that exist all the same. */
const without = (thread: Thread, left: LeftOut): Thread =>
  left.size === 0
    ? thread
    : {
        ...thread,
        comments: thread.comments.filter(({ id }) => !left.has(id)),
        unshown: [...(thread.unshown ?? []), ...left],
      };

const only = (thread: Thread, left: LeftOut): Thread => ({
  ...thread,
  isWhole: false,
  comments: thread.comments.filter(({ id }) => left.has(id)),
});

function takeThread(context: Context, link: Link, side: Side, thread: Thread, urgency: Urgency): void {
  const { route, store, session } = context;
  if (side === 'tracker' && thread.isWhole) forgetUnread(context, 'thread', thread.ref);
  if (link.state === 'tombstone' || (side === 'tracker' && isElsewhere(context, link, thread))) return;
  const isTooEarly = side === 'github' && thread.isWhole && mayLack(context, link, thread);
  const seen = isTooEarly ? { ...thread, isWhole: false } : thread;
  const reported = side === 'tracker' ? receiptOf(store, link.id).comments.flatMap(({ id }) => id ?? []) : [];
  const inDoubt = side === 'github' ? textsInDoubt(context, link.id) : [];
  const isOlder = side === 'tracker' && thread.isWhole && hasGoneBack(context, link);
  if (isOlder)
    for (const each of goneBack(route, link, store.commentLinks.ofLink(link.id), thread.comments, session.own.tracker))
      store.commentLinks.save(each);
  const asked = side === 'tracker' && beginsAnew(context, link) ? { ...link, claim: noIssue } : link;
  const known = store.commentLinks.ofLink(link.id);
  const reading = readThread(route, asked, known, side, seen, {
    own: session.own[side],
    reported,
    inDoubt,
    hasGoneBack: isOlder,
  });
  noteCopies(context, link, side, reading.copies);
  if (side === 'tracker' && link.tracker?.resolution) noteMoved(context, link, thread);
  if (side === 'tracker' && thread.isWhole) hideOldComments(context, link, thread);
  const nameable = new Set(nameableIn(known).map(({ id }) => id));
  for (const commentLink of reading.add) store.commentLinks.add(commentLink);
  for (const commentLink of reading.save) store.commentLinks.save(commentLink);
  if (side === 'tracker') seeComments(context, link.id, isIn(context, link, thread, reading));
  for (const commentLink of nameableIn(store.commentLinks.ofLink(link.id)))
    if (!nameable.has(commentLink.id)) resolveComment(context, link, commentLink);
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

/** Whether a bug was filed from an issue of another route, and moved here before that route learned its number. */
function isElsewhere(context: Context, { tracker, issue }: Link, { comments }: Thread): boolean {
  const issueLink = tracker === null || issue !== null ? null : waitingFor(context, tracker, comments);
  if (tracker === null || issueLink === null || issueLink.route === context.route.name) return false;
  bindFiled(context, issueLink, tracker);
  return true;
}

/** No issue has this number. */
const noIssue = 0;

/**
 * Whether a bug that came from another route has yet to get its issue: what it says of an issue of this repository is
 * about one that it had once, and that people transferred.
 */
const beginsAnew = ({ store }: RouteState, { bug, issue }: Link): boolean =>
  bug !== null && issue === null && store.links.former(bug).length > 0;

/**
 * Whether a thread shows a comment: by its id; or by what it says, if the answer named none, or may have named another
 * one. Harmony answers with the number of what it stored last, which is none of a comment where a person changed the
 * bug in the same moment.
 */
function isIn(
  { route, session, store }: RouteState,
  link: Link,
  { comments }: Thread,
  { add }: ThreadReading,
): (reported: ReportedComment) => boolean {
  const ids = new Set(comments.map(({ id }) => id));
  const rows = store.commentLinks.ofLink(link.id);
  const added = new Set(add.map(({ source }) => source));
  const news = comments.flatMap((each) => (added.has(each.id) ? (provenanceOf(route, link, each) ?? []) : []));
  return (reported) => {
    const { id, remark } = reported;
    if (id === null) return comments.some((each) => isRemark(route, link, each, session.own.tracker, remark));
    if (ids.has(id)) return true;
    if (reported.tells === 'copy' || reported.part > 1) return !rows.some(({ copy }) => copy?.id === id);
    const source = rows.find((row) => row.id === reported.commentLink)?.source;
    return news.some((said) => isSaying(said, reported, source));
  };
}

/**
 * Whether the list may lack recent comments, ours or others', so that a missing comment does not mean that it was
 * deleted.
 */
function mayLack({ store, clock, limits }: RouteState, { id }: Link, { comments, readAt }: Thread): boolean {
  const isCopied = store.ledger
    .ofLink(id)
    .some(({ on, kind, at }) => on === 'github' && kind === 'comment' && isRecent(clock.now() - at, limits.settleMs));
  const listed = new Set(comments.map((comment) => comment.id));
  const saidAt = readAt - limits.settleMs;
  const said = store.commentLinks
    .ofLink(id)
    .filter(({ origin, source, createdAt }) => origin === 'github' && source !== bodyId && createdAt > saidAt);
  return isCopied || said.some(({ source }) => !listed.has(source));
}

/** Whether so much time passed, or less. What is far ahead was stored before our clock was put back. */
const isRecent = (ms: number, most: number): boolean => Math.abs(ms) < most;

/** Those of the comments that have a counterpart which texts may name. */
const nameableIn = (commentLinks: readonly CommentLink[]): readonly CommentLink[] =>
  commentLinks.filter(({ copy, count, state }) => copy !== null && count !== null && state !== 'withdrawn');

/**
 * Binds a bug whose description says that we filed it from an issue to that issue's link; it waits for an issue that is
 * not known, or not taken.
 */
function claimIssue(context: Context, link: Link, claim: number): void {
  const { store, route, session } = context;
  const issueLink = linkOf(context, 'github', claim);
  const bug = link.tracker;
  if (bug === null || !(isMadeByUs(bug, session.own) || isAwaited(context, 'tracker', issueLink))) return;
  if (issueLink !== null && mayBind(route, issueLink, bug, session.own)) {
    if (unlessAnew(context, issueLink, bug, () => link)) bindEnds(context, issueLink, link, bug);
  } else if (issueLink === null || lacksEnd(route, issueLink, bug))
    store.links.save({ ...link, claim, urgency: 'live' });
}

/**
 * Since when GitHub has all these comments, by its own stamps, which have whole seconds; 0 when they are older than ten
 * minutes: after that every replica has them, whatever the version that it shows.
 */
export function newestAt({ store, clock }: RouteState, { id }: Link, commentLinks: readonly CommentLink[]): number {
  const copies = commentLinks.flatMap(({ origin, copy }) =>
    origin === 'tracker' && copy !== null ? [`#issuecomment-${copy.id}`] : [],
  );
  const isCopy = (made: unknown): boolean => typeof made === 'string' && copies.some((copy) => made.endsWith(copy));
  const lines = copies.length === 0 ? [] : store.ledger.ofLink(id);
  const made = lines.flatMap(({ on, kind, at, detail }) =>
    on === 'github' && kind === 'comment' && isCopy(detail['made']) && isRecent(clock.now() - at, githubLagMs)
      ? [typeof detail['madeAt'] === 'number' ? detail['madeAt'] : at - (at % 1000)]
      : [],
  );
  const said = commentLinks.flatMap(({ origin, createdAt }) =>
    origin === 'github' && createdAt > clock.now() - githubLagMs ? [createdAt] : [],
  );
  return Math.max(0, ...made, ...said);
}

/**
 * Whether this version of the issue counts the comments that we know. If one of them was said after that version, the
 * count is about others: it would stand in for one that we lack. So would one that we do not know for a copy that we
 * may have erased.
 */
export function isCounted(context: RouteState, link: Link, { commentCount, changedAt }: Issue): boolean {
  const commentLinks = context.store.commentLinks.ofLink(link.id);
  if (commentLinks.some(isErasedByUs)) return false;
  // Further parts were said when we wrote them, and GitHub has none of them.
  const said = commentLinks.filter(({ origin, state, part }) => origin === 'github' && state !== 'gone' && part === 1);
  return commentCount === expectedCommentCount(commentLinks) && newestAt(context, link, said) <= changedAt + stampsMs;
}
