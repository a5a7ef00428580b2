import { backOffIfAsked, hasTakenSince, isAskedAtOne } from '../../kernel/backoff.ts';
import type { Context, Performed, Result, RouteState } from '../../kernel/context.ts';
import { learnRate } from '../../kernel/creation-rate.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { setAsideUnmapped } from '../../kernel/set-aside.ts';
import { durationInWords } from '../../model/duration.ts';
import type { CommentLinkId, Side } from '../../model/ids.ts';
import type { Item } from '../../model/item.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { type Gone, type NotApplied, type Probe, WentBack } from '../../model/outcome.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import type { LedgerLine } from '../../model/store.ts';
import { withoutCopy } from '../../rules/comments/hide.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { isErasedByUs } from '../../rules/comments/missing.ts';
import { backoffMs, patienceMs, placeUntil } from '../../rules/limits/backoff.ts';
import { costOf, traitsOf } from '../../rules/operations/operations.ts';
import { bury, freeze } from '../observe/persist-plan.ts';
import { whyNotFrozen } from './vanished-issues.ts';

/**
 * The only place that decides the consequences of a write that was not applied.
 * @param on the side that said so: a file may fail at the side that it is read from
 */
export async function recordFailure(
  context: Context,
  row: OutboxRow,
  outcome: NotApplied,
  on: Side = row.operation.on,
): Promise<Performed> {
  const { store } = context;
  const { key } = row.operation;
  const now = context.clock.now();
  const [isOfOne, hasTaken] = [isAskedAtOne(context, row, outcome, on), hasTakenSince(context, on)];
  backOffIfAsked({ ...context, name: context.route.name }, on, outcome, isOfOne);
  if (costOf(row.operation) === 'create' && !isOfOne) learnRate(context, row.operation, outcome);
  const again = { state: 'planned', sentAt: null } as const;
  switch (outcome.kind) {
    case 'unknown':
      store.outbox.mark(key, { why: outcome.why, ...(isOfOne ? { waitingSince: row.waitingSince ?? now } : {}) });
      return blocked('doubt', outcome.why, false);
    case 'stale':
      store.outbox.mark(key, { ...again, attempts: row.attempts, why: outcome.why });
      return blocked('stale', outcome.why, true);
    case 'unauthorized':
      store.outbox.mark(key, { ...again, attempts: row.attempts, why: outcome.why });
      return { ...blocked('unauthorized', outcome.why, true), stop: 'unauthorized' };
    case 'later':
      if (!outcome.wholeSide || isOfOne) return putOff(context, row, outcome, hasTaken);
      store.outbox.mark(key, { ...again, attempts: row.attempts, why: outcome.why });
      return blocked('later', outcome.why, true);
    case 'refused':
      if (outcome.isOfEverything && row.operation.kind !== 'file') {
        store.outbox.mark(key, { ...again, attempts: row.attempts, why: outcome.why });
        return { ...blocked('later', outcome.why, true), stop: 'refused' };
      }
      // The values or rights that it was planned with may have changed.
      store.greetings.clear();
      store.outbox.mark(key, { waitingSince: null, notBeforeAt: null });
      return park(context, row, outcome.why, outcome.isOfValue);
    case 'gone':
      return confirmGone(context, row, outcome.gone);
  }
}

/**
 * The operation waits, and so do those behind it, unless it is a file. If it has waited too long, it is parked, and
 * keeps its place for some time. If the side asks for a pause at this one alone, it waits beyond the pause, so that
 * others go first; only if the side takes those is it parked.
 */
function putOff(
  context: Context,
  row: OutboxRow,
  { at, why, wholeSide }: Extract<NotApplied, { readonly kind: 'later' }>,
  hasTaken: boolean,
): Performed {
  const { store, clock } = context;
  const now = clock.now();
  const waitingSince = row.waitingSince ?? now;
  // What needs the file is not planned before it is there.
  const isBlocking = row.operation.kind !== 'file';
  if (now - waitingSince >= patienceMs && (hasTaken || !wholeSide)) {
    store.outbox.mark(row.operation.key, { waitingSince, notBeforeAt: placeUntil(waitingSince, now) });
    // Operations behind it in this drain would overtake it; the next plan decides which may continue.
    const others = wholeSide ? ', while others were taken' : '';
    const words = `${why} (put off for ${durationInWords(now - waitingSince)}${others})`;
    return { ...park(context, row, words), isBlocking, wantsPlan: true };
  }
  const distanceMs = backoffMs(row.attempts + 1, context.random());
  const notBeforeAt = wholeSide ? Math.max(at ?? 0, now) + distanceMs : (at ?? now + distanceMs);
  const attempts = row.attempts + 1;
  store.outbox.mark(row.operation.key, { state: 'planned', sentAt: null, attempts, notBeforeAt, waitingSince, why });
  return { ...blocked('later', why, false), isBlocking };
}

/**
 * Parks an operation. A refused comment blocks nothing; without its counterpart, nothing else of the link makes sense.
 */
function park(context: RouteState, { operation }: OutboxRow, why: string, isOfValue = false): Performed {
  const { store } = context;
  const link = store.links.byId(operation.link);
  store.transaction(() => {
    store.outbox.mark(operation.key, { state: 'parked', sentAt: null, why });
    const { on, kind } = operation;
    const ends = { id: operation.link, bug: link?.bug ?? null, issue: link?.issue ?? null };
    const line = {
      ...lineOf(context, ends, kind, { why, ...(isOfValue ? { isOfValue } : {}) }),
      on,
      outcome: 'parked',
    };
    // Every sweep tries again. The ledger records the same failure once, and not every day for years.
    if (!isSameNews(line, store.ledger.ofLink(ends.id).at(-1))) store.ledger.add(line);
  });
  // The next plan undoes what people chose.
  return { result: { kind: 'parked', why }, isBlocking: operation.kind === 'create', wantsPlan: isOfValue };
}

const isSameNews = ({ on, kind, detail }: LedgerLine, last: LedgerLine | undefined): boolean =>
  last?.outcome === 'parked' && last.on === on && last.kind === kind && last.detail['why'] === detail['why'];

/** The answer may be about something other than the item (a duplicate's hidden target), so the item itself is read. */
async function confirmGone(context: Context, row: OutboxRow, gone: Gone): Promise<Performed> {
  const { on } = row.operation;
  const link = context.store.links.byId(row.operation.link);
  const ref = on === 'tracker' ? link?.bug : link?.issue;
  const redirected = (): Performed =>
    putOff(context, row, { kind: 'later', at: null, wholeSide: false, why: gone.why }, false);
  if (link === null || ref === null || ref === undefined)
    return gone.kind === 'moved' ? redirected() : park(context, row, gone.why);
  const probe: Probe<Item> = await context[on].probe(ref);
  // What redirects writes alone stands in between, and may soon be gone.
  if (probe.kind === 'there' && gone.kind === 'moved') return redirected();
  context.store.outbox.mark(row.operation.key, { state: 'planned', sentAt: null, attempts: row.attempts });
  if (probe.kind === 'there') {
    // The answer was about something else.
    const copy = traitsOf(row.operation).copyIn(row.operation);
    if (copy === null) return park(context, row, gone.why);
    return context.store.olderPairs.get(link.id) === null
      ? loseCopy(context, row, copy, gone.why)
      : readForCopy(context, row, ref, gone.why);
  }
  return blocked(retire(context, link, on, probe.gone), probe.gone.why, false);
}

const deletedThere = {
  kind: 'deleted',
  reason: 'deleted or hidden on GitHub',
  isCopyLeft: false,
  isToReport: false,
} as const;

/**
 * Only the copy is gone: it was deleted by a person, and is not recreated; or by us, while its original was not public.
 */
function loseCopy({ store }: RouteState, { operation: { key } }: OutboxRow, id: CommentLinkId, why: string): Performed {
  store.transaction(() => {
    const commentLink = store.commentLinks.byId(id);
    if (commentLink !== null)
      store.commentLinks.save(
        isErasedByUs(commentLink) ? withoutCopy(commentLink) : commentAfter(commentLink, deletedThere),
      );
    store.outbox.remove(key);
  });
  return { result: { kind: 'already', why }, isBlocking: false, wantsPlan: true };
}

/**
 * An older state may know a copy that we erased and wrote again since. The next cycle reads the thread, which shows
 * which copies there are, and whether people deleted any.
 */
function readForCopy(context: Context, { operation: { key } }: OutboxRow, ref: number, why: string): Performed {
  context.store.transaction(() => {
    context.store.outbox.remove(key);
    setAsideUnmapped(context, 'github', { ref, of: 'thread', why }, 'side');
  });
  return { result: { kind: 'already', why }, isBlocking: true, wantsPlan: true };
}

/**
 * Buries a link whose item was deleted for good, and one of an issue without a bug that went elsewhere: whoever has its
 * bug, or takes it there, goes on with it. Freezes one whose item may come back. Throws
 * `WentBack` if more have vanished than is plausible.
 */
export function retire(context: Context, link: Link, side: Side, gone: Gone): 'buried' | 'frozen' {
  return context.store.transaction(() => {
    const fresh = context.store.links.byId(link.id) ?? link;
    // GitHub also answers 404 for items that we may no longer see; stock trackers distinguish the two.
    const isFinal =
      gone.kind === 'deleted' ||
      (gone.kind === 'missing' && side === 'tracker') ||
      (gone.kind === 'moved' && hasPassed(context, fresh));
    if (isFinal) bury(context, fresh, gone.why);
    else freezeUnlessMany(context, fresh, side, gone);
    if (gone.kind === 'moved' && !isFinal) tellTransferred(context, fresh, gone);
    return isFinal ? 'buried' : 'frozen';
  });
}

function freezeUnlessMany(context: Context, link: Link, side: Side, gone: Gone): void {
  const why = whyNotFrozen(context, link.id, side, gone);
  if (why !== null) throw new WentBack(why, side);
  freeze(context, link, side, gone.why, gone.kind);
}

/** Whether nothing was made of an issue, nor can have been: no bug has it, nor has one yet to show. */
const hasPassed = ({ store }: RouteState, { id, bug, claim }: Link): boolean =>
  bug === null && claim === null && store.outbox.ofLink(id, 'sent').length === 0;

/** The route of its new repository goes on with it, if there is one. Otherwise people decide. */
function tellTransferred({ store, clock }: Context, link: Link, { place, why }: Gone): void {
  const where = place === undefined ? `: ${why}` : ` to ${place.repo}#${place.number}.`;
  const reason = `people transferred the issue${where} Its bug is kept, and nothing crosses until a route takes that repository, or people transfer the issue back`;
  const skip = { link: link.id, about: aboutOf(link, 'github'), reason, needsPerson: true };
  store.findings.replace(link.id, [], [skip], clock.now());
}

const blocked = (kind: Result['kind'], why: string, wantsPlan: boolean): Performed => ({
  result: { kind, why },
  isBlocking: true,
  wantsPlan,
});
