import { allowedAt } from '../core/budget.ts';
import type { Operation } from '../model/operation.ts';
import type { Context } from './context.ts';
import { costOf } from './cost.ts';

/** How many links are worked on at a time. Each link has one writer; the lanes decide how fast a side is written to. */
export const writers = 4;

/**
 * When an operation may be done, and why not now; null when it may. A pause or a used-up allowance holds it until a later cycle, in
 * which live changes come first again.
 */
export function heldUntil(
  { store, clock, allowances }: Context,
  operation: Operation,
): { readonly at: number; readonly why: string } | null {
  const now = clock.now();
  const pause = store.budgets.pauseOf(operation.on, now);
  if (pause !== null) return { at: pause.until, why: pause.why };
  if (costOf(operation) !== 'create') return null;
  const limits = allowances[operation.on];
  const longestMs = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const { at, name } = allowedAt(store.budgets.since(operation.on, ['create'], now - longestMs), limits, 1, now);
  return at > now ? { at, why: `the ${name} are used up` } : null;
}
