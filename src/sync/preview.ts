import { heldUntil, writers } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { spareAsync, workOn } from '../kernel/set-aside.ts';
import { type LeftOut, spareComments } from '../kernel/spare-comments.ts';
import type { LinkId, Side } from '../model/ids.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { PlanInput } from '../model/plan/plan-input.ts';
import type { Withdrawal } from '../model/plan/withdrawal.ts';
import type { Wording } from '../rules/comments/render.ts';
import { isJoinable, type Refusal } from '../rules/limits/brake-and-budget.ts';
import { costOf } from '../rules/operations/operations.ts';
import { readAndPlan } from './cycle.ts';
import { persistEach } from './observe/persist-plan.ts';
import { planInputOf } from './observe/select.ts';
import { handlerOf } from './perform/operations/performing.ts';
import { willJoin } from './perform/perform-joined.ts';
import { refusalOf } from './plan-links.ts';

/** An operation of a printed plan, with its text if it writes one. */
type PrintedOperation = Operation & Wording;

export interface Preview {
  /** The operations that the next cycle would perform, in order, with their rendered texts. */
  readonly operations: readonly PrintedOperation[];
  /**
   * Operations that wait: they are not yet due, or the allowance for creations is used up before them. Parked ones are
   * not here.
   */
  readonly waiting: readonly (OutboxRow & { readonly operation: PrintedOperation })[];
  /** How many ready operations exceed the limit of one cycle. */
  readonly left: number;
  /** All of these operations, without their texts. */
  readonly wanted: readonly Operation[];
  /** How many of them go into the request of another one. */
  readonly joined: number;
  /** How many more bugs and issues without a counterpart later cycles plan. */
  readonly unplanned: number;
  /** Why the next cycle would perform none of this unless it is forced; null when it would. */
  readonly refusal: Refusal | null;
  /** Withdrawals and restorations, which come first, even if the rest is held up. */
  readonly withdrawals: readonly Withdrawal[];
}

/**
 * A cycle up to its first write. It stores its reads in the context's store, which must therefore be a copy.
 * Throws `SideError`.
 */
export async function previewOf(context: Context): Promise<Preview> {
  const { store } = context;
  const wanted = await readAndPlan(context);
  const refusal = refusalOf(context, wanted);
  persistEach(context, wanted);
  const rows = wanted.held.flatMap(({ key }) => store.outbox.get(key) ?? []);
  const { operations, waiting } = withinAllowances(context, wanted.operations);
  const print = printer(context);
  const rest = [...rows.filter(({ state }) => state === 'planned'), ...waiting];
  return {
    operations: operations.map(print),
    waiting: rest.map((row) => ({ ...row, operation: print(row.operation) })),
    left: wanted.ready.length - wanted.operations.length,
    ...(await backlogOf(context, [...wanted.ready, ...rest.map(({ operation }) => operation)])),
    refusal,
    withdrawals: [...wanted.withdrawals.values()].flat(),
  };
}

async function backlogOf(
  context: Context,
  operations: readonly Operation[],
): Promise<Pick<Preview, 'wanted' | 'joined' | 'unplanned'>> {
  const { store, route } = context;
  const wanted = [...new Map(operations.map((operation) => [operation.key, operation])).values()];
  const { byState, whole, wanting } = store.links.count(route.name);
  const creates = wanted.filter(({ kind }) => kind === 'create').length;
  return {
    wanted,
    joined: await countJoined(context, wanted),
    unplanned: Math.max(0, Math.min(byState.live - whole, wanting) - creates),
  };
}

async function countJoined(context: Context, operations: readonly Operation[]): Promise<number> {
  let count = 0;
  for (const [index, operation] of operations.entries()) {
    const next = operations[index + 1];
    if (next === undefined || !isJoinable(operation, next)) continue;
    const [first, second] = [context.store.outbox.get(operation.key), context.store.outbox.get(next.key)];
    const link = context.store.links.byId(operation.link);
    if (first === null || second === null || link === null) continue;
    const joins = () => willJoin(context, first, second);
    if (await spareAsync(context, workOn(context, link, 'write'), joins)) count += 1;
  }
  return count;
}

/** Renders operations as `perform` would send them now; without the texts that are set aside. */
function printer(context: Context): (operation: Operation) => PrintedOperation {
  const { route, session } = context;
  const settings = { route, vocabulary: session.vocabulary };
  const inputs = new Map<LinkId, PlanInput>();
  return (operation) => {
    const link = context.store.links.byId(operation.link);
    if (link === null) return operation;
    const words = (left: LeftOut) => {
      const input = (left.size === 0 && inputs.get(link.id)) || planInputOf(context, link, null, left);
      if (left.size === 0) inputs.set(link.id, input);
      return handlerOf(operation).printed(settings, input, operation);
    };
    return { ...operation, ...spareComments(context, link, 'write', words) };
  };
}

/**
 * Splits a plan by the allowance for creations that is left, spent as `drain` spends it: counterparts are created in
 * turn, and a link stops where it would stop there. Which of several links gets the last creation depends on how fast
 * the sides answer; the number of creations does not.
 */
function withinAllowances(context: Context, operations: readonly Operation[]): Pick<Preview, 'operations' | 'waiting'> {
  const { store, clock } = context;
  const queue = [...Map.groupBy(operations, ({ link }) => link).values()];
  const turns = turnsOf(operations);
  const created: Record<Side, number> = { tracker: 0, github: 0 };
  const open = new Set<Operation>();
  const waiting: OutboxRow[] = [];
  const step = (mine: readonly Operation[], before: Readonly<Record<Side, number>>): (readonly Operation[])[] => {
    const [operation, ...rest] = mine;
    if (operation === undefined) return queue.splice(0, 1);
    if (operation.kind === 'create' && (turns.get(operation) ?? 0) > before[operation.on]) return [mine];
    const held = heldUntil(context, operation);
    for (const { on, kind } of held === null ? [operation] : mine) if (kind === 'create') created[on] += 1;
    if (held === null) {
      open.add(operation);
      store.budgets.spend(operation.on, costOf(operation), { at: clock.now(), points: 1 });
      return [rest];
    }
    const rows = mine.flatMap(({ key }) => store.outbox.get(key) ?? []);
    waiting.push(...rows.map((row) => ({ ...row, notBeforeAt: held.at, why: held.why })));
    return [[]];
  };
  let busy: (readonly Operation[])[] = queue.splice(0, writers);
  while (busy.length > 0) {
    const before = { ...created };
    busy = busy.flatMap((mine) => step(mine, before));
  }
  return { operations: operations.filter((operation) => open.has(operation)), waiting };
}

/** How many counterparts are created on the same side before each. */
function turnsOf(operations: readonly Operation[]): ReadonlyMap<Operation, number> {
  const counts: Record<Side, number> = { tracker: 0, github: 0 };
  const creations = operations.filter(({ kind }) => kind === 'create');
  return new Map(creations.map((operation) => [operation, counts[operation.on]++]));
}
