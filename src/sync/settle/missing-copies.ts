/** Comments that a whole thread lacks: whether people deleted them, or a withdrawal of ours that the state does not know. */

import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { linkOf } from '../../kernel/linked.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isBy } from '../../model/people.ts';
import type { Withdrawn } from '../../model/plan/withdrawal.ts';
import type { Actor, LastAsk, Thread } from '../../model/replica.ts';
import type { LedgerLine } from '../../model/store.ts';
import { withoutCopy } from '../../rules/comments/hide.ts';
import { isErasedByUs, missingOf } from '../../rules/comments/missing.ts';
import { idOn } from '../../rules/comments/rows.ts';
import { neutralTitle } from '../../rules/privacy/neutral.ts';
import { newestAt } from '../observe/observe-thread.ts';

/** How many comments a cycle asks for that lists lack; the next cycles ask for the rest. */
export const asksMax = 100;

/** How many are left. */
export interface AsksLeft {
  left: number;
}

/**
 * Which known comments of a whole thread were deleted. That a list lacks one says nothing by itself: it may be behind,
 * and as long as the newer count while people delete another comment; or it may have been read in two pages, while
 * people deleted one on the first. So GitHub is asked for each. A replica that is behind answers that as well: it shows
 * a version of the issue from before one of these comments, or no issue.
 */
export async function unlessBehind(context: Context, thread: Thread, asks: AsksLeft): Promise<Thread> {
  const link = linkOf(context, 'github', thread.ref);
  if (link === null) return thread;
  const found = await spareAsync(context, workOn(context, link, 'read'), () => judge(context, link, thread, asks));
  return found ?? { ...thread, isWhole: false };
}

async function judge(context: Context, link: Link, thread: Thread, asks: AsksLeft): Promise<Thread> {
  const lost = thread.isWhole ? missingOf(context.store.commentLinks.ofLink(link.id), thread.comments) : [];
  if (lost.length === 0) return thread;
  const probe = await context.github.probe(thread.ref).catch(ofIssue);
  if (probe instanceof SideError || probe.kind !== 'there') return { ...thread, isWhole: false };
  const { commentCount, changedAt } = probe.item;
  const isBehind = changedAt < newestAt(context, link, lost);
  // Nothing else may bring the thread again.
  if (isBehind) context.store.transaction(() => markDirty(context, link.id));
  if (isBehind || commentCount > thread.comments.length) return { ...thread, isWhole: false };
  const { unasked, ...asked } = await askForEach(context, thread.ref, lost, asks);
  // What GitHub does not say now is not known to be gone.
  const there = [...asked.there, ...asked.unsure];
  if (unasked.length > 0 || newestAt(context, link, there) > 0)
    context.store.transaction(() => markDirty(context, link.id));
  if (unasked.length > 0) context.lookTurns.unasked.add(link.id);
  else context.lookTurns.unasked.delete(link.id);
  const unshown = [...there, ...unasked].flatMap((row) => idOn('github', row) ?? []);
  const copies = lost.filter(
    (row) => row.origin === 'tracker' && row.state === 'mirrored' && !isErasedByUs(row) && !there.includes(row),
  );
  if (copies.length === 0 || link.isWithdrawn) return { ...thread, unshown };
  const wasWithdrawn = await wasWithdrawnUnknown(context, link);
  if (wasWithdrawn instanceof SideError) return { ...thread, isWhole: false };
  if (wasWithdrawn) context.store.transaction(() => loseCopies(context, link, copies));
  if (wasWithdrawn) return { ...thread, unshown };
  const shownAgain = await shownSince(context, link);
  context.store.transaction(() => {
    for (const row of copies) if (shownAgain.has(row.source)) context.store.commentLinks.save(withoutCopy(row));
  });
  return { ...thread, unshown };
}

/**
 * The comments of the bug that became public again after what an older state knows of it: while they were hidden, our
 * own account erased their copies. Throws `SideError`.
 */
async function shownSince({ store, tracker }: Context, { id, bug }: Link): Promise<ReadonlySet<number>> {
  const knownAt = store.olderPairs.get(id)?.knownUntil.tracker ?? null;
  if (bug === null || knownAt === null) return new Set();
  try {
    const { changes } = await tracker.history([bug], knownAt);
    return new Set(changes.flatMap(({ shown = [] }) => shown));
  } catch (failure) {
    if (failure instanceof SideError && failure.kind === 'refused') return new Set();
    throw failure;
  }
}

interface Asked {
  readonly there: readonly CommentLink[];
  /** Those of which GitHub did not say. */
  readonly unsure: readonly CommentLink[];
  readonly unasked: readonly CommentLink[];
}

/** Asks for comments one by one, those first that were said last: a list that is behind lacks these. */
export async function askForEach(
  { github }: Context,
  ref: number,
  lost: readonly CommentLink[],
  asks: AsksLeft,
): Promise<Asked> {
  const idOf = (row: CommentLink): number => idOn('github', row) ?? 0;
  const newestFirst = lost.toSorted((one, other) => idOf(other) - idOf(one));
  const asked = newestFirst.slice(0, asks.left);
  asks.left -= asked.length;
  const [there, unsure]: [CommentLink[], CommentLink[]] = [[], []];
  for (const row of asked) {
    const isThere = await github.hasComment(ref, idOf(row)).catch(ofIssue);
    if (isThere instanceof SideError) unsure.push(row);
    else if (isThere) there.push(row);
  }
  return { there, unsure, unasked: newestFirst.slice(asked.length) };
}

/** Our clock and GitHub's may differ by that much. */
const clocksMs = 60_000;

/**
 * Whether our account withdrew the issue after all withdrawals that the state knows: an older state was put back. That
 * withdrawal erased all copies that the state knows, and it ended, or the issue would show it.
 */
async function wasWithdrawnUnknown(context: Context, { id, bug, issue }: Link): Promise<boolean | SideError> {
  const { store, github, session, route } = context;
  const lines = store.ledger.ofLink(id);
  const own = session.own.github;
  if (bug === null || issue === null || own === null || lines.length === 0) return false;
  // Where visitors are kept out, each issue is locked.
  const locked: LastAsk = route.visitors === 'lock' ? [] : [[{ event: 'locked', name: null }]];
  const asked: LastAsk = [[{ event: 'renamed', name: neutralTitle(bug) }], ...locked];
  const actors = await github.lastActors(issue, asked).catch(ofIssue);
  if (actors instanceof SideError) return actors.kind === 'later' && actors;
  const first = Math.min(...lines.map(({ at }) => at));
  const known = Math.max(first, ...lines.flatMap(({ kind, at }) => (isOfWithdrawal(kind) ? [at] : [])));
  const isUnknown = (actor: Actor | null): boolean =>
    actor !== null && isBy(actor, own) && (actor.at ?? 0) > known + clocksMs;
  return actors?.some(isUnknown) === true;
}

const isOfWithdrawal = (kind: LedgerLine['kind']): boolean => kind === 'withdraw' || kind === 'restore';

/** They are written again. The line says that this withdrawal is known now. */
function loseCopies(context: RouteState, link: Link, copies: readonly CommentLink[]): void {
  const { store } = context;
  for (const row of copies) store.commentLinks.save(withoutCopy(row));
  const why = 'as GitHub says; the state is older than that';
  const counts: Omit<Withdrawn, 'about' | 'trouble'> = {
    why,
    ...{ comments: copies.length, files: 0, isIssue: true, isText: false, isBack: false, left: null },
  };
  store.ledger.add(lineOf(context, link, 'withdraw', counts));
  markDirty(context, link.id);
}
