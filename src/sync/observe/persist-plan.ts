import type { Context, RouteState } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { forgetEnds, spare, workOn } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { Gone } from '../../model/outcome.ts';
import type { Note } from '../../model/plan/operation.ts';
import type { CyclePlan, PlanContext } from '../../model/plan/plan-input.ts';
import { linkAfter } from '../../rules/links/life.ts';
import { isUnderWay } from '../../rules/plan/moves.ts';
import { isHiddenSince } from '../../rules/privacy/gate.ts';
import { withSeenWithdrawal } from '../withdraw/seen-withdrawal.ts';
import { markDependentsDirty } from './mentions.ts';
import { isCounted, newestAt } from './observe-thread.ts';
import { planContextOf } from './select.ts';

/**
 * Stores a plan link by link, so that one whose plan cannot be stored costs no other its own. What was withdrawn since
 * the plan was made may have to leave texts that looked right in it: the next plan compares them again.
 */
export function persistEach(context: Context, planned: CyclePlan): void {
  const { plan } = planned;
  const byLink = <T extends { readonly link: LinkId }>(list: readonly T[]) => {
    const lists = Map.groupBy(list, ({ link }) => link);
    return (id: LinkId): readonly T[] => lists.get(id) ?? [];
  };
  const [wanted, notes, conflicts, skips] = [
    byLink(plan.operations),
    byLink(planned.withdrawals.size === 0 ? plan.notes : plan.notes.filter(({ kind }) => kind !== 'fresh')),
    byLink(plan.conflicts),
    byLink(plan.skips),
  ];
  const [ready, operations, held] = [byLink(planned.ready), byLink(planned.operations), byLink(planned.held)];
  const spacedUntil = (key: string): readonly (readonly [string, number])[] => {
    const until = planned.spaced.get(key);
    return until === undefined ? [] : [[key, until]];
  };
  const partOf = (link: Link): CyclePlan => ({
    ...planned,
    selected: [link],
    plan: { operations: wanted(link.id), notes: notes(link.id), conflicts: conflicts(link.id), skips: skips(link.id) },
    ready: ready(link.id),
    operations: operations(link.id),
    held: held(link.id),
    spaced: new Map(held(link.id).flatMap(({ key }) => spacedUntil(key))),
  });
  const { store, route, lookTurns } = context;
  store.transaction(() => {
    for (const link of planned.selected)
      spare(context, workOn(context, link, 'plan'), () => persistPlan(context, partOf(link)));
  });
  if (lookTurns.compared.has(route.name)) lookTurns.compared.set(route.name, 'stored');
}

/**
 * Stores a plan before any of it is performed: bases, findings and operations. A link whose operations are all stored
 * needs no mark any more, as it is planned again when they are due. So a mark that it gets while the plan is performed
 * is news, and stays: another link may become one that this one can name.
 */
export function persistPlan(context: Context, { selected, plan, ready, operations, held, spaced }: CyclePlan): void {
  const { store, route, clock } = context;
  const busy = new Set<LinkId>(plan.operations.map(({ link }) => link));
  const byLink = <T extends { readonly link: LinkId }>(list: readonly T[]) => Map.groupBy(list, ({ link }) => link);
  const [conflicts, skips] = [byLink(plan.conflicts), byLink(plan.skips)];
  const [open, taken] = [byLink(ready), byLink(operations)];
  // What waits for a file is planned once the file is stored; should the process die right after that, nothing else
  // would remember it.
  const isToCome = (id: LinkId): boolean =>
    (taken.get(id) ?? []).some(({ kind, on }) => kind === 'file' && on === 'github');
  const isCut = (id: LinkId): boolean => isToCome(id) || (open.get(id)?.length ?? 0) > (taken.get(id)?.length ?? 0);
  const { isComplete } = planContextOf(context);
  store.transaction(() => {
    for (const each of plan.notes) takeNote(context, each);
    for (const planned of selected) {
      const { id } = planned;
      store.findings.replace(id, conflicts.get(id) ?? [], skips.get(id) ?? [], clock.now());
      const link = store.links.byId(id);
      const isDone =
        link !== null &&
        !isUnderWay(route, link) &&
        !isHiddenSince(route, planned, link) &&
        !skips.get(id)?.some(({ isToRetry }) => isToRetry) &&
        (busy.has(id)
          ? !isCut(id)
          : !isWaiting(isComplete, link) && !isCountUnclear(context, link) && !isToAskFor(context, link));
      if (isDone) store.links.save({ ...link, urgency: 'none' });
    }
    store.outbox.replace(
      route.name,
      selected.map(({ id }) => id),
      [...operations, ...held],
    );
    for (const [key, notBeforeAt] of spaced)
      if (store.outbox.get(key)?.state === 'planned') store.outbox.mark(key, { notBeforeAt, why: together });
  });
}

const together = 'the text was edited several times lately, so further edits are reported together';

/**
 * A link with one end waits until the other side has been read completely; at that moment nothing else would mark it
 * dirty.
 */
function isWaiting(isComplete: PlanContext['isComplete'], link: Link): boolean {
  if (link.state !== 'live' || (link.bug !== null && link.issue !== null)) return false;
  return !isComplete.tracker || !isComplete.github || (link.tracker !== null && link.threadReadAt === null);
}

/**
 * Whether GitHub counts other comments than we know, and some are so recent that a list or a replica may be behind: the
 * thread is read again.
 */
export function isCountUnclear(context: RouteState, link: Link): boolean {
  if (link.github === null || link.state !== 'live' || isCounted(context, link, link.github)) return false;
  return newestAt(context, link, context.store.commentLinks.ofLink(link.id)) > 0;
}

/** Whether the thread lacks more comments than one cycle asks for: it is read again for the others. */
const isToAskFor = (context: Context, link: Link): boolean =>
  context.lookTurns.unasked.has(link.id) && link.github !== null && !isCounted(context, link, link.github);

function takeNote(context: Context, each: Note): void {
  const { store } = context;
  const link = store.links.byId(each.link);
  if (link === null) return;
  if (each.kind === 'agree') store.links.save({ ...link, base: each.base });
  else if (each.kind === 'freeze') freeze(context, link, 'tracker', each.reason);
  else takeFresh(context, each);
}

/** The copy is up to date, so the text is no longer needed. */
export function takeFresh(
  { store }: RouteState,
  {
    commentLink: id,
    mentions,
    isRight,
  }: Pick<Extract<Note, { readonly kind: 'fresh' }>, 'commentLink' | 'mentions' | 'isRight'>,
): void {
  const commentLink = store.commentLinks.byId(id);
  if (commentLink === null) return;
  const wrote = commentLink.wrote ?? (isRight ? (commentLink.copy?.digest ?? null) : null);
  store.commentLinks.save({ ...commentLink, wrote, isStale: false, text: null });
  store.mentions.replace(id, mentions);
}

/** A hidden bug is processed once more, to be withdrawn; its last visibility check is no longer valid. */
const hiding = { urgency: 'live', visibility: null } as const;
const quiet = { urgency: 'none' } as const;

/** Freezes the link: nothing is written for it until `by` shows its item again. */
export function freeze(
  context: Context,
  link: Link,
  by: 'tracker' | 'github',
  reason: string,
  gone: Gone['kind'] | null = null,
): void {
  const frozen = linkAfter(link, { kind: 'vanished', by, reason });
  context.store.links.save(
    // An older state may not know that its issue is withdrawn already.
    by === 'tracker' ? { ...withSeenWithdrawal(context, null, frozen), ...hiding } : { ...frozen, ...quiet },
  );
  context.store.outbox.replace(context.route.name, [link.id], []);
  context.store.findings.replace(link.id, [], [], context.clock.now());
  context.store.ledger.add(lineOf(context, link, 'freeze', { reason, ...(gone === null ? {} : { gone }) }));
  markDependentsDirty(context, link);
}

/** One side deleted its item: the link is never written again, and its counterpart never recreated. */
export function bury(context: RouteState, link: Link, reason: string): void {
  const { store, route } = context;
  store.links.save({ ...linkAfter(link, { kind: 'deleted', reason }), urgency: 'none' });
  store.outbox.replace(route.name, [link.id], []);
  forgetEnds(context, link);
  store.ledger.add(lineOf(context, link, 'bury', { reason }));
}
