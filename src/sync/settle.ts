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
import { observeItem } from '../links/observe.ts';
import type { Side } from '../model/ids.ts';
import type { Item } from '../model/item.ts';
import { bodyId, type Link } from '../model/link.ts';
import type { EraseOperation, Operation, RewriteOperation, UpdateOperation } from '../model/operation.ts';
import type { Probe } from '../model/outcome.ts';
import type { OutboxRow } from '../model/store.ts';
import { asksForProof } from '../privacy/gate.ts';
import { discreetLine, isDiscreet } from '../privacy/redact.ts';
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
  const { kind } = row.operation;
  return ['update', 'point', 'rewrite', 'guard'].includes(kind) || (isSaidOnGithub(row.operation) && !hasArrived(context, link, row));
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
  return isPatient && (link.github?.commentCount ?? 0) > expectedCommentCount(store.entries.ofLink(link.id));
}

const isSaidOnGithub = ({ kind, on }: Operation): boolean => on === 'github' && (kind === 'comment' || kind === 'remark');

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
  const isDone = isRenewal(operation) ? settleRenewal(context, link, operation) : hasArrived(context, link, row);
  const detail = { operation: operation.kind, why: row.why, ...(operation.kind === 'update' ? valuesOf(operation) : {}) };
  const line = { ...lineOf(context, link, 'settle', detail), on: operation.on, outcome: isDone ? 'had arrived' : 'had not arrived' };
  store.ledger.add(mayTell(context, link) ? line : discreetLine(line));
  // Planning starts afresh from what was seen, so an update that arrived in part needs no other care.
  store.links.save({ ...afterLooking(context, link, row), urgency: 'live' });
  if (isDone || operation.kind === 'update' || operation.kind === 'fold' || isRenewal(operation)) {
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
  !isDiscreet(route, link) && (link.state === 'live' || link.bug === null || !asksForProof(route));

function hasArrived(context: Context, link: Link, { operation }: OutboxRow): boolean {
  if (operation.kind === 'create') return operation.on === 'tracker' ? link.bug !== null : link.issue !== null;
  if (operation.kind === 'point') return link.pointed[operation.on];
  if (operation.kind === 'update')
    return equalFields(pick(fieldsOn(context, link, operation.on, operation.target), operation.target), operation.target);
  // Everything about the shelf may be done again: it looks before it writes.
  if (operation.kind === 'file') return operation.act === 'attach' && context.store.enclosures.byId(operation.enclosure)?.copy !== null;
  if (isRenewal(operation)) return false;
  // Whether it is folded away is looked at before that is asked for again.
  if (operation.kind === 'fold') return false;
  if (operation.kind === 'guard') return operation.act === 'lock' && link.github?.isLocked === true;
  if (operation.kind === 'remark') return isRemarked(context.store.entries.ofLink(link.id), operation.remark);
  const entry = context.store.entries.byId(operation.entry);
  if (entry === null) return true;
  if (operation.part > 1) return isPartThere(operation, entry, context.store.entries.ofLink(link.id));
  const carried = entry.copy === bodyId ? entry.copyDigest : entry.mirrored;
  if (operation.tells === 'deletion') return !entry.isStale;
  return operation.tells === 'edit' ? carried === operation.digest : entry.copy !== null;
}

type RenewalOperation = RewriteOperation | EraseOperation;
const isRenewal = (operation: Operation): operation is RenewalOperation => operation.kind === 'rewrite' || operation.kind === 'erase';

/** The thread was read, and the issue looked at: a copy shows what we sent, or what it showed before. Planning starts afresh. */
function settleRenewal({ store }: Context, { github }: Link, operation: RenewalOperation): boolean {
  const entry = store.entries.byId(operation.entry);
  if (entry === null) return true;
  if (operation.kind === 'erase') {
    if (entry.state !== 'gone') return false;
    store.entries.save(erased(entry, operation));
    return true;
  }
  const shown = entry.copy === bodyId ? (github === null ? null : bodyDigest(github.body)) : entry.copyDigest;
  const hasArrived = shown !== null && shown === entry.wrote;
  store.entries.save(hasArrived ? rewritten(entry, operation, shown) : { ...entry, wrote: entry.copyDigest });
  return hasArrived;
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
