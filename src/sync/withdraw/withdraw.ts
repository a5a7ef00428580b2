import { backOffIfAsked, endBackoff, isAskedToWait, isPaused } from '../../kernel/backoff.ts';
import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { spare, spareAsync, sparing, workOn } from '../../kernel/set-aside.ts';
import { type LeftOut, spareComments } from '../../kernel/spare-comments.ts';
import { isOfItem, ofIssue } from '../../kernel/unread.ts';
import type { Base, Link } from '../../model/link.ts';
import { type NotApplied, type Outcome, SideError } from '../../model/outcome.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { Withdrawal, Withdrawn } from '../../model/plan/withdrawal.ts';
import { whyHidden } from '../../rules/privacy/gate.ts';
import { plainWithdrawal } from '../../rules/privacy/plain-withdrawal.ts';
import { droppedFrom, planWithdrawal } from '../../rules/privacy/plan-withdrawal.ts';
import { observeItem } from '../observe/observe-items.ts';
import { freeze } from '../observe/persist-plan.ts';
import { readBodyOf } from '../observe/read-threads.ts';
import { recheckMirrored } from '../observe/recheck-mirrored.ts';
import { planContextOf, planInputOf } from '../observe/select.ts';
import { retire } from '../perform/record-failure.ts';
import { whyNotFrozen } from '../perform/vanished-issues.ts';
import { issueInQuestion } from '../settle/first-texts.ts';
import { carryOut, filesTogether, isOfFiles, removeFiles } from './carry-out.ts';
import { followBugs } from './follow-bugs.ts';
import { askWhoseBody, exceptOwnBody } from './own-body.ts';
import { askWhoseTitle, ownTitle } from './own-title.ts';
import { takeStrayFiles } from './stray-files.ts';

/**
 * Carries out withdrawals and restorations. Neither the brake nor the limit of a cycle applies, and failed steps are
 * tried again in every cycle. Throws `SideError` if GitHub refuses our credentials.
 */
export async function withdraw(context: Context, found: ReadonlyMap<Link['id'], readonly Withdrawal[]>): Promise<void> {
  await withdrawAll(context, found.keys());
  // Whatever else stands in the store of a bug that was hidden: a state from before may not know it.
  if ([...found.values()].some((list) => list.some(({ what }) => what !== 'open'))) await takeStrayFiles(context);
}

/** Withdraws what is known to be hidden, without reading either side first. */
export const withdrawHidden = (context: Context): Promise<void> =>
  withdrawAll(context, withdrawals(context, 'hidden').keys(), 'hidden');

/**
 * Withdraws what it still can after a failed read: mirrored bugs are checked all the same, and what is known to be
 * hidden is withdrawn.
 */
export async function withdrawDespite(context: Context, failure: unknown): Promise<void> {
  if (failure instanceof SideError && mayAskTracker(failure)) await recheckMirrored(context).catch(ignoreSideError);
  if (!(failure instanceof SideError) || mayAskGithub(failure)) await withdrawHidden(context);
}

/** False when the tracker itself asked for a pause, or refused our credentials. */
const mayAskTracker = (failure: SideError): boolean => failure.side === 'github' || isOfItem(failure);

/** False when GitHub itself asked for a pause, or refused our credentials. */
const mayAskGithub = ({ kind, side, at }: SideError): boolean =>
  side === 'tracker' || (kind !== 'unauthorized' && at === null);

/** A second failed read changes nothing. Rethrows our own bugs. */
function ignoreSideError(failure: unknown): void {
  if (!(failure instanceof SideError)) throw failure;
}

/** How often a link is read again within one cycle because its issue changed meanwhile. */
const looksMax = 3;

/**
 * `hidden` leaves out what may be restored: that requires the current state of both sides, and a route that nobody has
 * paused.
 */
type Which = 'all' | 'hidden';

/** Everything to withdraw from GitHub, or to restore, by link, regardless of the limits of a cycle. */
export function withdrawals(context: Context, which: Which = 'all'): ReadonlyMap<Link['id'], readonly Withdrawal[]> {
  const { store, route } = context;
  const links = [...followBugs(context), ...store.links.withdrawing(route.name)];
  // The author of a body must be known first, even in a cycle whose reading failed earlier.
  const read = ({ id }: Link): void => {
    if (issueInQuestion(context, id) === null) readBodyOf(context, id);
  };
  store.transaction(() => {
    for (const link of links) spare(context, workOn(context, link, 'withdraw'), () => read(link));
  });
  return new Map(
    links.flatMap((link) => {
      const list = withdrawalsOf(context, link, which);
      return list.length === 0 ? [] : [[link.id, list] as const];
    }),
  );
}

/** A link whose texts make planning fail is withdrawn all the same, and costs no other link its withdrawal. */
function withdrawalsOf(context: Context, link: Link, which: Which = 'all'): readonly Withdrawal[] {
  const { store, route } = context;
  const work = workOn(context, link, 'withdraw');
  const plain = () =>
    plainWithdrawal(route, {
      link,
      commentLinks: store.commentLinks.ofLink(link.id),
      attachmentLinks: store.attachmentLinks.ofLink(link.id),
    });
  const found =
    spareComments(context, link, 'withdraw', (left) => planned(context, link, left)) ??
    spare(context, work, plain) ??
    [];
  // Of an issue that may be shown again, something else may have to go. Files are out of reach if the route no longer
  // handles attachments.
  const isUnclear = store.looks.missed(link.route).includes(link.id) || context.lookTurns.opened.get(link.id) === null;
  const mayShow = which === 'all' && !isPaused(context, link.route) && !isUnclear;
  const hides = mayShow ? found : found.filter(({ what }) => what !== 'open');
  return context.files?.attachmentStore ? hides : hides.filter(({ what }) => what !== 'file');
}

function planned(context: RouteState, link: Link, left: LeftOut): readonly Withdrawal[] {
  const input = planInputOf(context, link, null, left);
  const title = link.github === null ? null : ownTitle(context, input, link.github);
  return exceptOwnBody(context, link, planWithdrawal(planContextOf(context), input, title));
}

async function withdrawAll(context: Context, links: Iterable<Link['id']>, which: Which = 'all'): Promise<void> {
  for (const id of links) {
    const link = context.store.links.byId(id);
    if (link === null || isAskedToWait(context, 'github')) continue;
    await sparing(context, workOn(context, link, 'withdraw'), () => withdrawLink(context, id, which));
  }
}

async function withdrawLink(context: Context, id: Link['id'], which: Which): Promise<void> {
  const done: Withdrawal[] = [];
  const left = new Set<string>();
  let trouble: string | null = null;
  const hidden = context.store.links.byId(id);
  if (hidden !== null && !hidden.isWithdrawn && whyHidden(context.route, hidden) !== null)
    await spareAsync(context, workOn(context, hidden, 'withdraw'), () => askWhoseTitle(context, hidden));
  if (hidden !== null && withdrawalsOf(context, hidden, which).some(({ what }) => what === 'text'))
    await spareAsync(context, workOn(context, hidden, 'withdraw'), () => askWhoseBody(context, hidden));
  const why = begin(context, id);
  for (let looks = 0; looks < looksMax; looks += 1) {
    const link = context.store.links.byId(id);
    const steps = link === null ? [] : filesTogether(withdrawalsOf(context, link, which));
    trouble = null;
    let isStale = false;
    for (const step of steps) {
      const outcome = isOfFiles(step) ? await removeFiles(context, step, left) : await carryOut(context, step);
      if (outcome.kind === 'applied') {
        done.push(...(isOfFiles(step) ? step : [step]));
        endBackoff(context, 'github');
      } else if (outcome.kind === 'stale') isStale = await lookAgain(context, id);
      else trouble = await handleFailure(context, id, outcome);
      if (endsTheRest(outcome)) break;
    }
    if (!isStale || trouble !== null) break;
  }
  trouble ??= dropped(context, id, done);
  finish(context, id, { done, why, trouble, left: [...left].join('; ') || null });
}

/** GitHub confirms a change of what an account may not set, and drops it. */
function dropped(context: Context, id: Link['id'], done: readonly Withdrawal[]): string | null {
  const link = done.some(({ what }) => what === 'issue') ? context.store.links.byId(id) : null;
  const kept = link === null ? [] : droppedFrom(withdrawalsOf(context, link, 'hidden'));
  if (kept.length === 0) return null;
  return `GitHub confirmed the change, and still shows what the bug had as ${kept.join(', ')}. Check that the account has the role Write`;
}

/** If GitHub puts off one step, the others are still carried out. */
const endsTheRest = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'gone' || outcome.kind === 'unauthorized' || (outcome.kind === 'later' && outcome.wholeSide);

/**
 * A bug that became private is frozen before the first request leaves: whatever its outcome, nothing more is published.
 */
function begin(context: Context, id: Link['id']): string | null {
  const { store, route } = context;
  return store.transaction(() => {
    const link = store.links.byId(id);
    const why = link === null ? null : whyHidden(route, link);
    if (link === null || why === null) return null;
    if (link.state === 'live' && link.tracker?.isPrivate) freeze(context, link, 'tracker', why);
    // What it left on old issues goes as well, in the next cycle of their routes.
    for (const former of link.bug === null ? [] : store.links.former(link.bug)) markDirty(context, former.id);
    const now = store.links.byId(id) ?? link;
    const steps = withdrawalsOf(context, now);
    const step = steps.find(({ what }) => what === 'issue');
    const base = step?.what === 'issue' ? withTitle(now.base, step.patch) : now.base;
    const isWithdrawn = now.isWithdrawn || step !== undefined || steps.some(({ what }) => what === 'lock');
    store.links.save({ ...now, urgency: 'live', isWithdrawn, base });
    return why;
  });
}

/** A title that we are about to replace is nobody's edit, whether or not the answer to that is lost. */
function withTitle(base: Base | null, { title }: IssuePatch): Base | null {
  if (base === null || title === undefined) return base;
  return { tracker: { ...base.tracker, title }, github: { ...base.github, title } };
}

export async function lookAgain(context: Context, id: Link['id']): Promise<boolean> {
  const issue = context.store.links.byId(id)?.issue ?? null;
  const probe = issue === null ? null : await context.github.probe(issue).catch(ofIssue);
  if (probe !== null && 'item' in probe) context.store.transaction(() => observeItem(context, probe.item, 'live'));
  return true;
}

/** The reason for a failure. An issue that is gone shows nothing any more; every other failure is tried again. */
export async function handleFailure(
  context: Context,
  id: Link['id'],
  outcome: Exclude<NotApplied, { kind: 'stale' }>,
): Promise<string | null> {
  const { store, route } = context;
  if (outcome.kind === 'unauthorized') throw new SideError('unauthorized', outcome.why, { side: 'github' });
  backOffIfAsked({ ...context, name: route.name }, 'github', outcome);
  if (outcome.kind !== 'gone') return outcome.why;
  const link = store.links.byId(id);
  const probe = link === null || link.issue === null ? null : await context.github.probe(link.issue).catch(ofIssue);
  if (link === null || probe === null || !('gone' in probe)) return outcome.gone.why;
  // The others are still withdrawn, and this one is tried again.
  const kept = whyNotFrozen(context, id, 'github', probe.gone);
  if (kept === null) retire(context, link, 'github', probe.gone);
  return kept;
}

interface End {
  readonly done: readonly Withdrawal[];
  readonly why: string | null;
  readonly trouble: string | null;
  readonly left: string | null;
}

function finish(context: Context, id: Link['id'], { done, why, trouble, left }: End): void {
  const { store, clock, route } = context;
  const count = (what: Withdrawal['what']) => done.filter((each) => each.what === what).length;
  const link = store.links.byId(id);
  if (link === null) return;
  const about = [
    link.bug === null ? [] : [`bug ${link.bug}`],
    link.issue === null ? [] : [`${link.repo}#${link.issue}`],
  ]
    .flat()
    .join(' = ');
  const result: Withdrawn = {
    about,
    why,
    comments: count('comment'),
    files: count('file'),
    isIssue: count('issue') > 0,
    isText: count('text') > 0,
    isBack: count('open') > 0,
    left,
    trouble,
  };
  store.transaction(() => {
    if (done.length > 0) {
      store.ledger.add({
        ...lineOf(context, link, result.isBack ? 'restore' : 'withdraw', { ...result }),
        on: 'github',
        outcome: 'applied',
      });
    }
    const reason = `it could not be withdrawn from GitHub yet; every cycle tries again: ${trouble}`;
    store.findings.replace(
      id,
      [],
      trouble === null ? [] : [{ link: id, about, reason, needsPerson: true }],
      clock.now(),
    );
    // Content that is public again, in whole or in part, is planned next; hidden content is clean once nothing of it is
    // left.
    const isClean = trouble === null && whyHidden(route, link) !== null && withdrawalsOf(context, link).length === 0;
    store.links.save({ ...link, urgency: isClean ? 'none' : 'live' });
  });
  if (done.length > 0 || trouble !== null) context.tell({ kind: 'withdrawn', route: route.name, withdrawn: result });
}
