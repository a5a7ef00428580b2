import type { Context, RouteState } from '../../kernel/context.ts';
import { isImport } from '../../kernel/imports.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { isLate } from '../../kernel/patience.ts';
import { spareOf } from '../../kernel/set-aside.ts';
import { isUnread } from '../../kernel/unread.ts';
import type { Link } from '../../model/link.ts';
import type { Operation, UpdateOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { backoffMs, patienceMs, placeUntil } from '../../rules/limits/backoff.ts';
import { operations } from '../../rules/operations/operations.ts';
import { checksVisibility } from '../../rules/privacy/gate.ts';
import { isRedacted, redactedLine } from '../../rules/privacy/redact.ts';
import { correctionsOf, losersOf } from '../observe/fields-on.ts';
import { erased } from '../perform/operations/erase.ts';
import { rewritten, shownBy } from '../perform/operations/rewrite.ts';
import { withBaseAfter, withTried } from './base-after-doubt.ts';
import { findMadeOfHidden } from './find-made.ts';
import { hasArrived } from './read-doubted.ts';

/**
 * The factor by which the bridge waits longer for an issue that GitHub gave no clear answer for, before it creates it
 * again.
 */
const issuePatience = 12;

/**
 * Requests whose outcome is unknown and which would be visible by now if they took effect, and comments that may show
 * any moment.
 */
export function doubtsOf(context: Context, now: number): readonly OutboxRow[] {
  tidyDoubts(context, now);
  const isDue = (row: OutboxRow): boolean => settlesAt(context, row) <= now || isToShow(row);
  return [...context.store.outbox.eachSent(context.route.name).filter((row) => isSpared(context, row, isDue))];
}

/**
 * Drops requests of links that are gone, of which nothing is left to settle. What was sent at a moment to come left
 * before our clock was put back, and would be in doubt until then.
 */
function tidyDoubts({ store, route }: RouteState, now: number): void {
  const untilNow = (at: number | null): number | null => (at === null ? null : Math.min(at, now));
  for (const { operation, sentAt, waitingSince } of store.outbox.eachSent(route.name)) {
    if (store.links.byId(operation.link) === null) store.outbox.remove(operation.key);
    else if (Math.max(sentAt ?? 0, waitingSince ?? 0) > now)
      store.outbox.mark(operation.key, { sentAt: untilNow(sentAt), waitingSince: untilNow(waitingSince) });
  }
}

/** What can be said of no request in doubt leaves that one in doubt. */
const isSpared = (context: Context, row: OutboxRow, is: (row: OutboxRow) => boolean): boolean =>
  spareOf(context, row.operation.link, 'write', () => is(row)) === true;

/**
 * Other requests in doubt of which nothing is unknown: creations whose items were found, such as imports that nobody
 * waited for, and updates that a reading shows. What people change after that is an edit.
 */
export function foundOf(context: Context, doubts: readonly OutboxRow[]): readonly OutboxRow[] {
  const known = new Set(doubts.map(({ operation }) => operation.key));
  const isFound = (row: OutboxRow): boolean => {
    const { kind, link: id } = row.operation;
    const link = kind === 'create' || kind === 'update' ? context.store.links.byId(id) : null;
    return link !== null && !known.has(row.operation.key) && hasArrived(context, link, row);
  };
  return [...context.store.outbox.eachSent(context.route.name).filter((row) => isSpared(context, row, isFound))];
}

/**
 * Settles updates that an earlier cycle read and did not settle, since it failed or its process died: the next reading
 * may show what people changed after that. Comes before any reading, which may show that the bug is private by now: the
 * ledger gets no values, and an update that overruled somebody, whose value it has to keep, is settled later.
 */
export function settleRead(context: Context): void {
  const isPlain = ({ operation }: OutboxRow) => operation.kind === 'update' && operation.overruled.length === 0;
  settleDoubts(context, foundOf(context, []).filter(isPlain), false);
}

/**
 * A comment that was answered together with a change of its bug, without being named: its pair rests only until the
 * thread shows it.
 */
const isToShow = ({ operation: { kind, on }, notBeforeAt }: OutboxRow): boolean =>
  kind === 'comment' && on === 'tracker' && notBeforeAt !== null;

/** When a request in doubt would be visible if it took effect. */
export function settlesAt(context: RouteState, row: OutboxRow): number {
  const settleMs = context.limits.settleMs * (isIssueInTrouble(context, row) ? issuePatience : 1);
  return Math.max(
    (row.sentAt ?? 0) + settleMs,
    (row.waitingSince ?? 0) + context.limits.settleMs,
    row.notBeforeAt ?? 0,
  );
}

/**
 * Takes over the requests that an earlier process left in doubt. Each waited for its turn after it was marked as sent,
 * and a slow server may work on it still, so the time to settle begins with the first process that finds it.
 */
export function inheritDoubts({ store, route, clock }: Pick<Context, 'store' | 'route' | 'clock'>): void {
  for (const row of store.outbox.eachSent(route.name)) {
    const isTakenOver = (row.waitingSince ?? 0) > (row.sentAt ?? 0);
    if (row.why === null && !isTakenOver && !isImport(row))
      store.outbox.mark(row.operation.key, { waitingSince: clock.now() });
  }
}

/**
 * An issue that has not shown yet, and whose creation got an error from GitHub: it may still be under way there, and
 * single reads may lag in the same incident. A row without a reason means that our own process died, which does not
 * point to trouble at GitHub.
 */
const isIssueInTrouble = ({ store }: RouteState, { operation, why }: OutboxRow): boolean =>
  operation.kind === 'create' &&
  operation.on === 'github' &&
  why !== null &&
  store.links.byId(operation.link)?.issue === null;

/**
 * Settles requests whose outcome is unknown, by what both sides show now. It records values of bugs, so it comes after
 * the visibility check. Throws `SideError`.
 */
export async function settle(context: Context, doubts: readonly OutboxRow[]): Promise<void> {
  settleDoubts(context, doubts);
  await findMadeOfHidden(context);
}

function settleDoubts(context: Context, doubts: readonly OutboxRow[], isChecked = true): void {
  for (const row of doubts) {
    isSpared(context, row, () => {
      if (isTooEarly(context, row) || isUntold(context, row) || isLate(context, row.operation.link)) return false;
      context.store.transaction(() => settleRow(context, row, isChecked));
      return true;
    });
  }
}

/** Whether the tracker fails on the bug that would show the outcome. */
function isUntold(context: Context, row: OutboxRow): boolean {
  const link = context.store.links.byId(row.operation.link);
  return row.operation.on === 'tracker' && link !== null && isUnread(context, link) && !hasArrived(context, link, row);
}

/** That a thread lacks a comment says nothing yet, as it may come from a lagging database. */
function isTooEarly(context: Context, row: OutboxRow): boolean {
  const link = context.store.links.byId(row.operation.link);
  return settlesAt(context, row) > context.clock.now() && link !== null && !hasArrived(context, link, row);
}

/**
 * Settles one row, after the reads that show its outcome.
 * @param isChecked whether it is known that its bug is still public
 */
export function settleRow(context: Context, row: OutboxRow, isChecked = true): void {
  const { store, limits, clock } = context;
  const { operation } = row;
  const link = store.links.byId(operation.link);
  if (link === null) {
    store.outbox.remove(operation.key);
    return;
  }
  const isDone = hasArrived(context, link, row);
  const sent =
    operation.kind === 'rewrite' && !isDone ? { wrote: store.commentLinks.byId(operation.commentLink)?.wrote } : {};
  afterRenewal(context, link, operation, isDone);
  const detail = {
    operation: operation.kind,
    why: row.why,
    ...sent,
    ...(operation.kind === 'update' ? valuesOf(operation) : {}),
  };
  const line = {
    ...lineOf(context, link, 'settle', detail),
    on: operation.on,
    outcome: isDone ? 'had arrived' : 'had not arrived',
  };
  store.ledger.add(isChecked && mayTell(context, link) ? line : redactedLine(line));
  // The link is planned again from what was seen, which also covers an update that arrived in part.
  // Whole trackers are imported, and every cycle looks at all links that are live.
  store.links.save({ ...withBaseAfter(context, link, row), urgency: isImport(row) ? 'backfill' : 'live' });
  // Nothing is planned for a deleted item any more, so a row of it would wait for ever.
  const isAfresh = operations[operation.kind].doubt.isPlannedAfresh && !isPutOff(row);
  if (isDone || isAfresh || link.state === 'tombstone') {
    store.outbox.remove(operation.key);
    return;
  }
  if (operation.kind === 'create') store.outbox.mark(operation.key, { operation: withTried(operation) });
  // Without a reason our own process died, which does not count as an attempt.
  if (row.why === null) {
    store.outbox.mark(operation.key, { state: 'planned', attempts: row.attempts - 1, notBeforeAt: null, sentAt: null });
    return;
  }
  // A side that answers reads but loses writes may take a while to recover; parked operations are tried again after the
  // next sweep.
  const now = clock.now();
  const waitingSince = row.waitingSince ?? row.sentAt ?? now;
  const placeEndsAt = placeUntil(waitingSince, now);
  const hasTried = row.attempts >= limits.attempts || placeEndsAt === null;
  const isHopeless = hasTried && now - waitingSince >= patienceMs;
  const isLater = row.attempts > 1 || isPutOff(row);
  const notBeforeAt = isLater ? now + backoffMs(row.attempts - 1, context.random()) : null;
  store.outbox.mark(operation.key, {
    state: isHopeless ? 'parked' : 'planned',
    notBeforeAt: isHopeless ? placeEndsAt : notBeforeAt,
    sentAt: null,
    waitingSince,
  });
}

/** Whether its side asked for pauses at it alone: it keeps the count of its tries, and its next plan takes its place. */
const isPutOff = ({ why, waitingSince, operation }: OutboxRow): boolean =>
  why !== null && waitingSince !== null && operation.kind !== 'erase';

/**
 * Whether the ledger may show values. A link that is no longer written is not checked either, so whether its values are
 * still public is unknown.
 */
const mayTell = ({ route }: RouteState, link: Link): boolean =>
  !isRedacted(route, link) && (link.state === 'live' || link.bug === null || !checksVisibility(route));

/**
 * Updates the comment link after a rewrite or an erasure is settled: the copy has the new text after all, or still the
 * old one.
 */
function afterRenewal({ store }: RouteState, link: Link, operation: Operation, isDone: boolean): void {
  const commentLink =
    operation.kind === 'rewrite' || operation.kind === 'erase' ? store.commentLinks.byId(operation.commentLink) : null;
  if (commentLink === null) return;
  if (operation.kind === 'erase' && isDone) store.commentLinks.save(erased(commentLink, operation));
  if (operation.kind !== 'rewrite' || operation.hides !== undefined) return;
  const shown = shownBy(commentLink, link);
  store.commentLinks.save(
    isDone && shown !== null
      ? rewritten(commentLink, operation, shown)
      : { ...commentLink, wrote: commentLink.copy?.digest ?? null },
  );
}

/** The values that the update replaced, if it arrived: the loser of a conflict is kept even if the answer was lost. */
const valuesOf = (operation: UpdateOperation) => ({
  before: operation.replaces,
  after: operation.target,
  overruled: losersOf(operation),
  ...correctionsOf(operation),
});
