import { isPaused } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { rememberRefusal } from '../kernel/outbox.ts';
import { inCycle } from '../kernel/patience.ts';
import type { Hint } from '../model/control.ts';
import type { LinkId } from '../model/ids.ts';
import type { Plan } from '../model/plan/operation.ts';
import type { CyclePlan } from '../model/plan/plan-input.ts';
import type { Refusal } from '../rules/limits/brake-and-budget.ts';
import { withChangedBy } from './changed-by.ts';
import { answerUnable, runCommands } from './commands.ts';
import { observe } from './observe/observe.ts';
import { persistEach } from './observe/persist-plan.ts';
import { readSides } from './observe/poll.ts';
import { lettingGo } from './observe/went-back.ts';
import { confirmAudience, readInPublic } from './perform/confirm-audience.ts';
import { isOver, perform, timed } from './perform/perform.ts';
import { adaptPace } from './perform/share.ts';
import { planLinks, refusalOf } from './plan-links.ts';
import { settle } from './settle/settle.ts';
import { knownBefore } from './settle/settle-older.ts';
import { checkVisibility } from './withdraw/check-visibility.ts';
import { withdraw, withdrawDespite } from './withdraw/withdraw.ts';

export interface CycleOptions {
  /** Carries out a plan that the brake would refuse. */
  readonly isForced: boolean;
  /** Lets go of pairs whose side went back; as `isForced`, unless no person forces it. */
  readonly letsGo?: boolean;
  /** Links that the brake leaves out, as `refusalOf` does. */
  readonly madeNow?: () => ReadonlySet<LinkId>;
  /** Items to read in addition to what the lists show. */
  readonly hints?: readonly Hint[];
}

export interface CycleReport {
  readonly plan: Plan;
  /** The writes of the plan that this cycle tried to perform. */
  readonly operations: Plan['operations'];
  readonly refusal: Refusal | null;
  readonly applied: number;
  /** Whether it had more to write than its time allowed. */
  readonly isCut: boolean;
}

/**
 * One pass over one route; while a person has paused it, only to withdraw. Reads throw `SideError`; everything else is
 * in the report.
 */
export async function cycle(
  given: Context,
  { isForced, letsGo = isForced, madeNow, hints = [] }: CycleOptions,
): Promise<CycleReport> {
  const context = { ...given, letsGo };
  const planned = await planOrWithdraw(context, hints);
  const { plan, operations } = planned;
  await withdraw(context, planned.withdrawals);
  if (isPaused(context, context.route.name)) return { plan, operations: [], refusal: null, applied: 0, isCut: false };
  const refusal = isForced ? null : refusalOf(context, planned, madeNow);
  rememberRefusal(context, 'plan', refusal);
  if (refusal !== null) return { plan, operations, refusal, applied: 0, isCut: false };
  await confirmAudience(context, plan);
  persistEach(context, plan.conflicts.length === 0 ? planned : await withChangedBy(context, planned));
  const writing = timed(context);
  const applied = await perform(writing, planned);
  const isLate = applied < operations.length && isOver(writing);
  const isCut = adaptPace(context, planned.ready.length, isLate ? applied : null) || isLate;
  return { plan, operations, refusal, applied, isCut };
}

/** A failed read ends the cycle, but delays no withdrawal. */
async function planOrWithdraw(context: Context, hints: readonly Hint[]): Promise<CyclePlan> {
  try {
    context.store.moments.followClock(context.clock.now());
    const unable = await runCommands(context);
    const planned = await lettingGo(context, (each) => readAndPlan(each, hints));
    answerUnable(context, unable);
    return planned;
  } catch (failure) {
    await withdrawDespite(context, failure);
    throw failure;
  }
}

/** Everything up to the plan: `bugferry plan` prints exactly what `cycle` carries out. Throws `SideError`. */
export async function readAndPlan(given: Context, hints: readonly Hint[] = []): Promise<CyclePlan> {
  const context = inCycle(readInPublic(given));
  const before = knownBefore(context);
  const doubts = await readSides(context, hints);
  const { links, changed, always, shown } = await observe(context, doubts);
  await checkVisibility(context, changed, always);
  await settle(context, shown);
  return planLinks(context, links, before);
}
