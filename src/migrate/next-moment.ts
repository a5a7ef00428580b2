import { heldUntil } from '../kernel/backoff.ts';
import type { Context } from '../kernel/context.ts';
import { nextLookAt } from '../kernel/outbox.ts';
import type { Operation } from '../model/plan/operation.ts';
import { settlesAt } from '../sync/settle/settle.ts';

interface Moment {
  readonly at: number;
  readonly why: string;
}

/**
 * When the next operation or check becomes due, in epoch milliseconds; null when nothing waits for a time.
 * @param operations those that the last cycle tried
 */
export function nextMoment(context: Context, operations: readonly Operation[]): Moment | null {
  const now = context.clock.now();
  let next: Moment | null = null;
  for (const moment of momentsOf(context, operations))
    if (moment.at > now && (next === null || moment.at < next.at)) next = moment;
  return next;
}

/** One by one: a whole tracker may be in doubt. */
function* momentsOf(context: Context, operations: readonly Operation[]): Iterable<Moment> {
  const { store, route, limits } = context;
  for (const operation of operations) {
    const held = heldUntil(context, operation);
    if (held !== null) yield held;
  }
  for (const { notBeforeAt, why } of store.outbox.due(route.name, Number.MAX_SAFE_INTEGER))
    yield { at: notBeforeAt ?? 0, why: why ?? 'an operation is to be tried again' };
  for (const row of store.outbox.eachSent(route.name))
    yield { at: settlesAt(context, row) + 1, why: 'an answer was lost, and its outcome has to show first' };
  for (const receipt of store.receipts.ofRoute(route.name)) {
    const at = nextLookAt(receipt, limits.settleMs);
    if (at !== null) yield { at, why: 'a change that the tracker reported as stored has to show first' };
  }
}
