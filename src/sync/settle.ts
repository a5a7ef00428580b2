import { isPartThere } from '../comments/parts.ts';
import { erased, rewritten } from '../comments/perform.ts';
import { bodyDigest, expectedCommentCount } from '../comments/thread.ts';
import { baseOfCreated, settleFields } from '../fields/advance.ts';
import { correctionsOf, fieldsOn, losersOf, pick } from '../fields/fields-on.ts';
import { withoutLeftOut } from '../fields/left-out.ts';
import { backoffMs, patienceMs } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { lineOf } from '../kernel/outbox.ts';
import { isRemarked } from '../labels/remark.ts';
import { doubtAbout } from '../links/doubt.ts';
import { observeItem } from '../links/observe.ts';
import type { Side } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { CommentOperation, Operation, UpdateOperation } from '../model/operation.ts';
import type { Probe } from '../model/outcome.ts';
import { byKind, type PerKind } from '../model/per-kind.ts';
import type { OutboxRow } from '../model/store.ts';
import { checksVisibility } from '../privacy/gate.ts';
import { isRedacted, redactedLine } from '../privacy/redact.ts';
import { equalFields } from '../text/canonical.ts';

/** How many times as long as other doubts an issue that GitHub gave no clear answer for is waited for, before it is made again. */
const issuePatience = 12;
/** The same for a comment on GitHub that is counted there, and not shown. */
const commentPatience = 90;

/** Requests whose outcome is unknown and which, if they took effect, are visible by now. */
export function doubtsOf(context: Context, now: number): readonly OutboxRow[] {
  const { store, route, limits } = context;
  return store.outbox.sent(route.name).filter((row) => {
    const settleMs = limits.settleMs * (isIssueInTrouble(context, row) ? issuePatience : 1);
    return Math.max((row.sentAt ?? 0) + settleMs, row.notBeforeAt ?? 0) <= now;
  });
}

/**
 * An issue that nobody has seen since, and whose making GitHub failed to answer: what fails so may still be under way there, and single looks
 * may lag in the same incident. Without a reason it was our own process that died, and nothing speaks for trouble at GitHub.
 */
const isIssueInTrouble = ({ store }: Context, { operation, why }: OutboxRow): boolean =>
  operation.kind === 'create' && operation.on === 'github' && why !== null && store.links.byId(operation.link)?.issue === null;

/**
 * Reads what shows the outcome of what is in doubt. The poll and the reading of threads came before, and have bound new counterparts and
 * paired comments by their markers; only the targets of updates are looked at here, and issues whose threads lack a comment.
 */
export async function lookAtDoubts(context: Context, doubts: readonly OutboxRow[]): Promise<void> {
  for (const row of doubts) {
    const link = context.store.links.byId(row.operation.link);
    if (link !== null && isLookedAt(context, link, row)) await lookAt(context, link, row.operation.on);
  }
}

function isLookedAt(context: Context, link: Link, row: OutboxRow): boolean {
  return doubtAbout(row.operation).item === 'always' || (isSaidOnGithub(row.operation) && !hasArrived(context, link, row));
}

/** Settles what was in doubt, by what the sides show now. It tells values of bugs, so it comes after the proof that these are public. */
export function settle(context: Context, doubts: readonly OutboxRow[]): void {
  for (const row of doubts) {
    context.store.transaction(() => {
      if (!isCountedOnly(context, row)) settleRow(context, row);
    });
  }
}

/** Lists of comments lag behind, the count that an issue shows does not: where it tells of more than are known, ours may be among them. */
function isCountedOnly(context: Context, row: OutboxRow): boolean {
  const { store, limits, clock } = context;
  const link = store.links.byId(row.operation.link);
  if (link === null || !isSaidOnGithub(row.operation) || hasArrived(context, link, row)) return false;
  const isPatient = clock.now() < (row.sentAt ?? 0) + limits.settleMs * commentPatience;
  return isPatient && (link.github?.commentCount ?? 0) > expectedCommentCount(store.commentLinks.ofLink(link.id));
}

const isSaidOnGithub = (operation: Operation): boolean => operation.on === 'github' && doubtAbout(operation).item === 'unless seen';

/** Shows what an update came to; a target that is gone is found out by the next attempt. */
async function lookAt(context: Context, link: Link, on: Side): Promise<void> {
  const ref = on === 'tracker' ? link.bug : link.issue;
  if (ref === null) return;
  const probe: Probe<Item> = await context[on].probe(ref);
  if (probe.kind === 'there') context.store.transaction(() => observeItem(context, probe.item, 'live'));
}

/** Settles one row, after whatever shows its outcome has been read. */
export function settleRow(context: Context, row: OutboxRow): void {
  const { store, limits, clock } = context;
  const { operation } = row;
  const link = store.links.byId(operation.link);
  if (link === null) {
    store.outbox.remove(operation.key);
    return;
  }
  const isDone = hasArrived(context, link, row);
  afterRenewal(context, link, operation, isDone);
  const detail = { operation: operation.kind, why: row.why, ...(operation.kind === 'update' ? valuesOf(operation) : {}) };
  const line = { ...lineOf(context, link, 'settle', detail), on: operation.on, outcome: isDone ? 'had arrived' : 'had not arrived' };
  store.ledger.add(mayTell(context, link) ? line : redactedLine(line));
  // Planning starts afresh from what was seen, so an update that arrived in part needs no other care.
  store.links.save({ ...afterLooking(context, link, row), urgency: 'live' });
  if (isDone || doubtAbout(operation).isPlannedAfresh) {
    store.outbox.remove(operation.key);
    return;
  }
  // Without a reason it was our own process that died, for which the operation is not to blame.
  if (row.why === null) {
    store.outbox.mark(operation.key, { state: 'planned', attempts: row.attempts - 1, notBeforeAt: null, sentAt: null });
    return;
  }
  // A side that takes reads and loses writes may be ill for a while; what is parked is tried again after the next sweep.
  const now = clock.now();
  const waitingSince = row.waitingSince ?? row.sentAt ?? now;
  const isHopeless = row.attempts >= limits.attempts && now - waitingSince >= patienceMs;
  const notBeforeAt = row.attempts > 1 ? now + backoffMs(row.attempts - 1, context.random()) : null;
  store.outbox.mark(operation.key, {
    state: isHopeless ? 'parked' : 'planned',
    notBeforeAt: isHopeless ? null : notBeforeAt,
    sentAt: null,
    waitingSince,
  });
}

/** What is no longer written is not proved any more either: nobody knows whether it may still be told. */
const mayTell = ({ route }: Context, link: Link): boolean =>
  !isRedacted(route, link) && (link.state === 'live' || link.bug === null || !checksVisibility(route));

const hasArrived = (context: Context, link: Link, { operation }: OutboxRow): boolean => byKind(arrived, operation, context, link);

/** Whether it took effect, by what the sides show now. */
const arrived: PerKind<boolean, [Context, Link]> = {
  create: (_context, link, { on }) => (on === 'tracker' ? link.bug : link.issue) !== null,
  update: (context, link, { on, target }) => equalFields(pick(fieldsOn(context, link, on, target), target), target),
  comment: commentArrived,
  rewrite({ store }, link, operation) {
    const commentLink = store.commentLinks.byId(operation.commentLink);
    if (commentLink === null) return true;
    const shown = shownBy(commentLink, link);
    return shown !== null && shown === commentLink.wrote;
  },
  erase({ store }, _link, operation) {
    const commentLink = store.commentLinks.byId(operation.commentLink);
    return commentLink === null || commentLink.state === 'gone';
  },
  // Whether it is folded away is looked at before that is asked for again.
  minimize: () => false,
  point: (_context, link, { on }) => link.pointed[on],
  // Everything about the shelf may be done again: it looks before it writes.
  file: ({ store }, _link, { act, attachmentLink }) => act === 'attach' && store.attachmentLinks.byId(attachmentLink)?.copy !== null,
  remark: ({ store }, link, operation) => isRemarked(store.commentLinks.ofLink(link.id), operation.remark),
  lock: (_context, link, { act }) => act === 'lock' && link.github?.isLocked === true,
};

function commentArrived({ store }: Context, _link: Link, operation: CommentOperation): boolean {
  const commentLink = store.commentLinks.byId(operation.commentLink);
  if (commentLink === null) return true;
  if (operation.part > 1) return isPartThere(operation, commentLink, store.commentLinks.ofLink(commentLink.link));
  const carried = commentLink.copy?.id === bodyId ? commentLink.copy.digest : commentLink.mirrored;
  if (operation.tells === 'deletion') return !commentLink.isStale;
  return operation.tells === 'edit' ? carried === operation.digest : commentLink.copy !== null;
}

/** The thread was read, and the issue looked at: a copy shows what we sent, or what it showed before. */
const shownBy = (commentLink: CommentLink, { github }: Link): string | null =>
  commentLink.copy?.id === bodyId ? (github === null ? null : bodyDigest(github.body)) : (commentLink.copy?.digest ?? null);

/** What a copy on GitHub carries after all, or still. */
function afterRenewal({ store }: Context, link: Link, operation: Operation, isDone: boolean): void {
  const commentLink = operation.kind === 'rewrite' || operation.kind === 'erase' ? store.commentLinks.byId(operation.commentLink) : null;
  if (commentLink === null) return;
  if (operation.kind === 'erase' && isDone) store.commentLinks.save(erased(commentLink, operation));
  if (operation.kind !== 'rewrite') return;
  const shown = shownBy(commentLink, link);
  store.commentLinks.save(
    isDone && shown !== null ? rewritten(commentLink, operation, shown) : { ...commentLink, wrote: commentLink.copy?.digest ?? null },
  );
}

/** What the update replaced, if it arrived: the loser of a conflict is kept, also when the answer was not heard. */
const valuesOf = (operation: UpdateOperation) => ({
  before: operation.replaces,
  after: operation.target,
  overruled: losersOf(operation),
  ...correctionsOf(operation),
});

/**
 * The base after looking. A counterpart that was made without our hearing of it starts from what it was sent with: what shows
 * now may hold somebody's edit already.
 */
function afterLooking(context: Context, link: Link, { operation }: OutboxRow): Link {
  if (operation.kind !== 'update' && operation.kind !== 'create') return link;
  const shown = fieldsOn(context, link, operation.on, operation.target);
  if (operation.kind === 'update') return { ...link, base: settleFields(link.base, operation.on, operation, operation.via, shown) };
  if (link.base !== null || link.bug === null || link.issue === null) return link;
  const { on } = operation;
  if (on === 'tracker') return { ...link, base: baseOfCreated(on, operation, { ...shown, ...operation.target }) };
  const expressed = withoutLeftOut(context.route, operation, shown);
  return { ...link, base: baseOfCreated(on, expressed, { ...shown, status: 'open', ...expressed.target }) };
}
