import { isAskedToWait } from '../../kernel/backoff.ts';
import type { Context, RouteState } from '../../kernel/context.ts';
import { isShutAway } from '../../kernel/linked.ts';
import { lineOf, receiptOf } from '../../kernel/outbox.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { bugId } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { aboutOf, isFormer, type Link, shownBug } from '../../model/link.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { IssuePatch } from '../../model/plan/draft.ts';
import type { Operation } from '../../model/plan/operation.ts';
import { isMoved, isOnTheMove, movedPatch, returnedPatch, type Whereabouts } from '../../rules/plan/moves.ts';
import { gate } from '../../rules/privacy/gate.ts';
import { isPeoples } from '../../rules/privacy/plan-withdrawal.ts';
import { issueFooter } from '../../text/footer.ts';
import { saysMoved } from '../../text/marker.ts';
import { isCountUnclear } from '../observe/persist-plan.ts';
import { planInputOf } from '../observe/select.ts';
import { unlock } from '../withdraw/done-by-us.ts';
import { returned } from '../withdraw/record-withdrawal.ts';
import { handleFailure, lookAgain } from '../withdraw/withdraw.ts';

/**
 * Takes the next step of each move that waits for this route. What is said on an issue is read off the issue: so a lost
 * answer or a crash only means that it is compared once more. Throws `SideError` if GitHub refuses our credentials.
 * @param links the links that this cycle plans, and `operations` what it plans for them
 */
export async function followMoves(
  context: Context,
  links: readonly Link[],
  operations: readonly Operation[],
): Promise<void> {
  const { store, route } = context;
  const busy = new Set(operations.map(({ link }) => link));
  for (const { id } of [...links, ...store.links.formerDue(route.name)]) {
    const link = store.links.byId(id);
    if (link === null || isAskedToWait(context, 'github')) continue;
    await spareAsync(context, workOn(context, link, 'write'), async () => {
      if (isFormer(link)) await followFormer(context, link);
      else if (isOnTheMove(route, link) && !link.isWithdrawn && gate(route, planInputOf(context, link)).kind === 'open')
        await followLive(context, link, busy.has(id));
    });
  }
}

/** @param isBusy whether something is to be written for it */
async function followLive(context: Context, link: Link, isBusy: boolean): Promise<void> {
  const { store, route } = context;
  const { tracker, github } = link;
  const isSaid = github !== null && saysMoved(route.instance, github.body);
  if (tracker === null) return;
  if (!isMoved(route, link)) {
    if (github !== null && isSaid)
      await sayMove(context, link, github, returnedPatch(route, link, github, footerOf(context, link)));
    else store.links.save({ ...link, movedTo: null });
    return;
  }
  const { product } = tracker;
  const isLeft = link.movedTo === product;
  // What may be shown of it is not known before its thread is.
  if (!isLeft && (isBusy || link.threadReadAt === null || !isDrained(context, link))) return;
  // Within one repository, the issue goes on as it is if the other route takes the bug.
  const isSilent = github === null || (!isLeft && context.lookTurns.isShared(route, product));
  const patch = isSilent ? {} : movedPatch(route, link, github, { ...nowhere, product });
  if (github !== null && Object.keys(patch).length > 0) await sayMove(context, link, github, patch);
  else store.links.save({ ...link, movedTo: product });
}

const nowhere = { issue: null, name: '' } as const;

/** Whether all that people wrote on the issue is on the bug, as far as the tracker takes it. */
function isDrained(context: RouteState, link: Link): boolean {
  const { comments, files } = receiptOf(context.store, link.id);
  const isWaiting = context.store.outbox.ofLink(link.id).some(({ state }) => state !== 'parked');
  return !isWaiting && comments.length + files.length === 0 && !isCountUnclear(context, link);
}

function footerOf({ store, route }: RouteState, { id, tracker }: Link): string | null {
  return tracker === null || !isPeoples({ commentLinks: store.commentLinks.ofLink(id) })
    ? null
    : issueFooter(route, tracker.id, tracker.url);
}

/** The old issue names the new one. It waits for that, as long as the link that has the bug may still get an issue. */
async function followFormer(context: Context, former: Link): Promise<void> {
  const { store, route } = context;
  const { github, claim } = former;
  const holder = claim === null ? null : store.links.byBug(bugId(claim));
  if (github === null) return;
  if (former.visibility?.isShown === false) {
    // Nothing is to be said before the bug is public again, and what people write meanwhile makes nothing due.
    if (former.urgency !== 'none') store.links.save({ ...former, urgency: 'none' });
    return;
  }
  if (holder !== null && holder.issue === null && holder.state === 'live') return;
  const product = holder?.tracker?.product ?? former.movedTo ?? '';
  const where: Whereabouts =
    holder?.github == null || isShutAway(context, holder)
      ? { ...nowhere, product }
      : { product, issue: holder.github, name: aboutOf(holder, 'github') };
  await sayMove(context, former, github, movedPatch(route, former, github, where));
}

async function sayMove(context: Context, link: Link, issue: Issue, patch: IssuePatch): Promise<void> {
  const { store, clock } = context;
  const { id } = link;
  const outcome = await writeMove(context, link.isWithdrawn && issue.isLocked, issue, patch);
  if (outcome.kind === 'applied') return store.transaction(() => recordMove(context, id, outcome.item, patch));
  if (outcome.kind === 'stale') {
    await lookAgain(context, id);
    return;
  }
  const trouble = await handleFailure(context, id, outcome);
  if (trouble === null) return;
  const reason = `it cannot say yet where bug ${shownBug(link)} is; every cycle tries again: ${trouble}`;
  store.findings.replace(
    id,
    [],
    [{ link: id, about: aboutOf(link, 'github'), reason, needsPerson: true }],
    clock.now(),
  );
}

/** The issue was locked while its bug was hidden. */
async function writeMove(
  context: Context,
  isToUnlock: boolean,
  issue: Issue,
  patch: IssuePatch,
): Promise<Outcome<Issue>> {
  const { store, clock, github } = context;
  const isSaid = Object.keys(patch).length === 0;
  if (isToUnlock || !isSaid) store.budgets.spend('github', 'edit', { at: clock.now(), points: 1 });
  const opened = isToUnlock ? await unlock(context, issue) : null;
  if (opened !== null && opened.kind !== 'applied') return opened;
  const open = opened === null ? issue : opened.item;
  return isSaid ? { kind: 'applied', item: open } : github.update(open, patch);
}

function recordMove(context: Context, id: Link['id'], shown: Issue, patch: IssuePatch): void {
  const { store, route } = context;
  const link = store.links.byId(id);
  if (link === null) return;
  const seen: Link = { ...link, github: shown };
  const isBack = !isFormer(link) && !isMoved(route, link);
  const says = isBack ? 'that the bug came back' : 'where the bug is now';
  if (Object.keys(patch).length > 0)
    store.ledger.add({ ...lineOf(context, link, 'remark', { says }), on: 'github', outcome: 'applied' });
  if (isBack) store.links.save({ ...returned(context, seen), movedTo: null });
  // What people wrote before they could read that line is still copied: the next cycle reads it.
  else store.links.save({ ...seen, isWithdrawn: false, urgency: isOnTheMove(route, seen) ? 'live' : 'none' });
}
