import { type PrintedOperation, printed } from '../comments/render.ts';
import { brake, type Refusal } from '../kernel/brake.ts';
import { costOf } from '../kernel/budget.ts';
import type { Context } from '../kernel/context.ts';
import { heldUntil, writers } from '../kernel/pause.ts';
import { persistPlan } from '../links/persist-plan.ts';
import type { PlanInput } from '../links/plan-input.ts';
import { planInputOf } from '../links/select.ts';
import type { LinkId } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Withdrawal } from '../model/withdrawal.ts';
import { planCycle } from './cycle.ts';

export interface Preview {
  /** What the next cycle sets out to do, in its order, with the words that it would write. */
  readonly operations: readonly PrintedOperation[];
  /** What is wanted, and waits: its time has not come, or the creations that are allowed are used up before it. What is parked is not here. */
  readonly waiting: readonly (OutboxRow & { readonly operation: PrintedOperation })[];
  /** How much could be done and exceeds what one cycle may write. */
  readonly left: number;
  /** Why the next cycle would do nothing of this unless it is forced; null when it would. */
  readonly refusal: Refusal | null;
  /** What is taken off GitHub before anything else, whatever stands in the way of the rest, or is opened again. */
  readonly withdrawals: readonly Withdrawal[];
}

/**
 * A cycle up to its first write. Everything that is remembered on the way goes into the context's store, so that must be a copy.
 * Throws `SideError`.
 */
export async function previewOf(context: Context): Promise<Preview> {
  const { store, limits } = context;
  const wanted = await planCycle(context);
  const refusal = brake(wanted.plan, wanted.links, limits.brakeShare);
  persistPlan(context, wanted);
  const rows = wanted.held.flatMap(({ key }) => store.outbox.get(key) ?? []);
  const { operations, waiting } = withinAllowances(context, wanted.operations);
  const print = printer(context);
  const rest = [...rows.filter(({ state }) => state === 'planned'), ...waiting];
  return {
    operations: operations.map(print),
    waiting: rest.map((row) => ({ ...row, operation: print(row.operation) })),
    left: wanted.ready.length - wanted.operations.length,
    refusal,
    withdrawals: [...wanted.withdrawals.values()].flat(),
  };
}

/** Writes operations out as `perform` would send them now. */
function printer(context: Context): (operation: Operation) => PrintedOperation {
  const { store, route, session } = context;
  const stage = { route, vocabulary: session.vocabulary };
  const inputs = new Map<LinkId, PlanInput>();
  return (operation) => {
    const link = store.links.byId(operation.link);
    const input = inputs.get(operation.link) ?? (link === null ? null : planInputOf(context, link));
    if (input === null) return operation;
    inputs.set(operation.link, input);
    return printed(stage, input, operation);
  };
}

/**
 * What of a plan the creations that are still allowed suffice for, spent as `drain` spends them; a link stops where it would stop
 * there. Which of several links gets the last creation depends on how fast the sides answer; how many are made does not.
 */
function withinAllowances(context: Context, operations: readonly Operation[]): Pick<Preview, 'operations' | 'waiting'> {
  const { store, clock } = context;
  const queue = [...Map.groupBy(operations, ({ link }) => link).values()].map((list) => [...list]);
  const open = new Set<Operation>();
  const waiting: OutboxRow[] = [];
  const busy = queue.splice(0, writers);
  for (let mine = busy.shift(); mine !== undefined; mine = busy.shift()) {
    const [operation] = mine;
    const held = operation === undefined ? null : heldUntil(context, operation);
    if (operation === undefined) busy.push(...queue.splice(0, 1));
    else if (held !== null) {
      const rows = mine.splice(0).flatMap(({ key }) => store.outbox.get(key) ?? []);
      waiting.push(...rows.map((row) => ({ ...row, notBeforeAt: held.at, why: held.why })));
      busy.push(mine);
    } else {
      open.add(operation);
      store.budgets.spend(operation.on, costOf(operation), { at: clock.now(), points: 1 });
      busy.push(mine.slice(1));
    }
  }
  return { operations: operations.filter((operation) => open.has(operation)), waiting };
}
