import type { Operation } from '../model/operation.ts';
import type { Context, Performed } from './context.ts';

/** What the operation wanted is so already, or its link is no longer written. */
export function dropped(context: Context, operation: Operation): Performed {
  context.store.outbox.remove(operation.key);
  return { result: { kind: 'already', why: null }, isBlocking: false, wantsPlan: false };
}
