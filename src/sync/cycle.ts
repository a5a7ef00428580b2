import type { Context } from '../kernel/context.ts';
import { rememberRefusal } from '../kernel/outbox.ts';
import { isResting } from '../kernel/pause.ts';
import { spare, workOn } from '../kernel/set-aside.ts';
import { isOfItem } from '../kernel/unread.ts';
import type { Hint } from '../model/control.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import type { Plan } from '../model/plan/operation.ts';
import type { Wanted } from '../model/plan/plan-input.ts';
import { brake, order, partHeld, type Refusal } from '../rules/limits/brake-and-budget.ts';
import { joinedPlans, plan, policy } from '../rules/plan/plan.ts';
import { retrySetAside, runControlCommand } from './commands.ts';
import { withChangedBy } from './observe/changed-by.ts';
import {
  chaseClaims,
  chaseHidden,
  findMade,
  findMadeOfHidden,
  isImport,
  readOriginals,
  rereadGithub,
} from './observe/chase.ts';
import { observeItem } from './observe/observe.ts';
import { persistPlan } from './observe/persist-plan.ts';
import { follow, lookAtMirrored, poll } from './observe/poll.ts';
import { readFiles } from './observe/read-files.ts';
import { missingFields, moveRules } from './observe/read-offered.ts';
import { confirmThreads, readAgain, readThreads } from './observe/read-threads.ts';
import { readUnread } from './observe/read-unread.ts';
import { planContextOf, planInputsOf, select } from './observe/select.ts';
import { takeMoved } from './observe/take-moved.ts';
import { drain, takeTurns } from './perform/drain.ts';
import { followMoves } from './perform/follow-moves.ts';
import { confirmBugs } from './settle/confirm.ts';
import { doubtsOf, lookAtDoubts, settle } from './settle/settle-doubts.ts';
import { knownUntil, markIfOlder, settleOlder } from './settle/settle-older.ts';
import { checkVisibility } from './withdraw/check-visibility.ts';
import { takeStrayFiles } from './withdraw/stray-files.ts';
import { withdrawAll, withdrawals } from './withdraw/withdraw.ts';

export interface CycleOptions {
  /** Carries out a plan that the brake would refuse. */
  readonly isForced: boolean;
  /** Items to read in addition to what the lists show. */
  readonly hints?: readonly Hint[];
}

export interface CycleReport {
  readonly plan: Plan;
  /** The writes of the plan that this cycle tried to perform. */
  readonly operations: Plan['operations'];
  readonly refusal: Refusal | null;
  readonly applied: number;
}

/**
 * One pass over one route; while a person has paused it, only to withdraw. Reads throw `SideError`; everything else is
 * in the report.
 */
export async function cycle(context: Context, options: CycleOptions): Promise<CycleReport> {
  const wanted = await planOrWithdraw({ ...context, letsGo: options.isForced }, options.hints ?? []);
  await withdrawAll(context, wanted.withdrawals.keys());
  // Whatever else stands in the store of a bug that was hidden: a state from before may not know it.
  if ([...wanted.withdrawals.values()].some((list) => list.some(({ what }) => what !== 'open')))
    await takeStrayFiles(context);
  if (isResting(context, context.route.name)) return { plan: wanted.plan, operations: [], refusal: null, applied: 0 };
  const refusal = options.isForced ? null : brake(wanted.plan, wanted.links, context.limits.brakeShare);
  rememberRefusal(context, 'plan', refusal);
  if (refusal !== null) {
    return { plan: wanted.plan, operations: wanted.operations, refusal, applied: 0 };
  }
  persistPlan(context, wanted.plan.conflicts.length === 0 ? wanted : await withChangedBy(context, wanted));
  await followMoves(context, wanted.selected, wanted.plan.operations);
  const applied = await drain(context, wanted);
  return { plan: wanted.plan, operations: wanted.operations, refusal: null, applied };
}

/**
 * A failed read ends the cycle, but delays no withdrawal: mirrored bugs are looked at all the same, and what is known
 * to be hidden is withdrawn.
 */
async function planOrWithdraw(context: Context, hints: readonly Hint[]): Promise<Wanted> {
  try {
    if (!isResting(context, context.route.name)) {
      await retrySetAside(context);
      for (const waiting of context.controlQueue?.of(context.route.name) ?? [])
        await runControlCommand(context, waiting);
    }
    return await planCycle(context, hints);
  } catch (failure) {
    if (failure instanceof SideError && mayAskTracker(failure)) await lookAtMirrored(context).catch(asSideError);
    if (!(failure instanceof SideError) || mayAskGithub(failure))
      await withdrawAll(context, withdrawals(context, 'hidden').keys(), 'hidden');
    throw failure;
  }
}

/** False when the tracker itself asked for a pause, or refused our credentials. */
const mayAskTracker = (failure: SideError): boolean => failure.side === 'github' || isOfItem(failure);

/** A look that fails, too, changes nothing. Rethrows our own bugs. */
function asSideError(failure: unknown): void {
  if (!(failure instanceof SideError)) throw failure;
}

/** False when GitHub itself asked for a pause, or refused our credentials. */
const mayAskGithub = ({ kind, side, at }: SideError): boolean =>
  side === 'tracker' || (kind !== 'unauthorized' && at === null);

/** Everything up to the plan: what `plan` prints is what `cycle` carries out. */
export async function planCycle(context: Context, hints: readonly Hint[] = []): Promise<Wanted> {
  moveRules(context);
  const at = context.clock.now();
  const known = knownUntil(context);
  const sent = doubtsOf(context, at);
  // An import shows in no list of changes, so only a full read reveals its outcome.
  if (sent.some(isImport)) rereadGithub(context);
  await poll(context, hints);
  await readUnread(context);
  await follow(context, hints);
  await lookAtMirrored(context);
  takeMoved(context, (bug) => observeItem(context, bug, 'live'));
  const doubts = await findMade(context, sent);
  await confirmBugs(context);
  const links = select(context);
  const news = unique([...links, ...context.store.links.changed(context.route.name)]);
  await readThreads(context, news, doubts);
  if (context.files !== null) await readFiles(context, context.files, news, doubts);
  await confirmThreads(context);
  await readAgain(context, links);
  await lookAtDoubts(context, doubts);
  await chaseClaims(context, links);
  await chaseHidden(context, links);
  const inDoubt = doubts.flatMap(({ operation }) => context.store.links.byId(operation.link) ?? []);
  await checkVisibility(context, unique([...news, ...inDoubt]), [...links, ...inDoubt]);
  settle(context, doubts);
  await findMadeOfHidden(context);
  const missing = await missingFields(context, links);
  const originals = await readOriginals(context, links);
  const withdrawing = withdrawals(context);
  const open = links.filter(({ id }) => !withdrawing.has(id));
  markIfOlder(context, at, known);
  const waits = await settleOlder(context, open, missing);
  const { selected, plan: whole } = planEach(
    context,
    missing,
    open.filter(({ id }) => !waits.has(id)),
    originals,
  );
  const wanted = policy(whole, context.route.direction);
  const { ready: waiting, held } = partHeld(order(wanted.operations), context.store.outbox.get, context.clock.now());
  const { ready, operations } = await takeTurns(context, waiting);
  context.tell({ kind: 'planned', route: context.route.name, plan: wanted });
  // Counting takes longer the more links there are, so a quiet cycle does without.
  const count = operations.length === 0 ? 0 : context.store.links.count(context.route.name).whole;
  return { plan: wanted, ready, operations, held, selected, links: count, withdrawals: withdrawing };
}

/** Plans each link by itself, so that one whose planning fails costs no other its turn. */
function planEach(
  context: Context,
  missing: readonly string[],
  links: readonly Link[],
  originals: ReadonlyMap<Link['id'], Link>,
) {
  const planContext = planContextOf(context, missing);
  const parts = planInputsOf(context, links, originals).flatMap(
    (input) =>
      spare(context, workOn(context, input.link, 'plan'), () => ({
        link: input.link,
        plan: plan(planContext, [input]),
      })) ?? [],
  );
  return { selected: parts.map(({ link }) => link), plan: joinedPlans(parts.map((part) => part.plan)) };
}

/**
 * Without duplicates. Content that became private is looked for in every changed link, even if the link is not planned
 * in this cycle.
 */
const unique = (links: readonly Link[]): readonly Link[] => [...new Map(links.map((link) => [link.id, link])).values()];
