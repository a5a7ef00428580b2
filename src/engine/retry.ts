import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { wake } from './wake.ts';

type Retrying = Pick<Context, 'store' | 'route'>;

/** What of a route can be retried: what is parked, and what waits for its time. What is in doubt is settled by looking instead. */
export function retryable({ store, route }: Retrying): readonly OutboxRow[] {
  const waiting = store.outbox.due(route.name, Number.MAX_SAFE_INTEGER).filter(({ notBeforeAt }) => notBeforeAt !== null);
  return [...store.outbox.parked(route.name), ...waiting];
}

/** Gives the operations with these numbers another chance in the next cycle; the others of the route are left. Answers what was found. */
export function retry(context: Retrying, numbers: readonly number[]): readonly OutboxRow[] {
  const rows = retryable(context).filter(({ number }) => numbers.includes(number));
  retryRows(context, rows);
  return rows;
}

/** Whatever stood in the way may be gone, so attempts are counted from the beginning. */
export function retryRows({ store }: Pick<Context, 'store'>, rows: readonly OutboxRow[]): void {
  store.transaction(() => {
    for (const { operation } of rows) {
      store.outbox.mark(operation.key, { state: 'planned', attempts: 0, notBeforeAt: null, waitingSince: null, why: null });
      wake({ store }, operation.link);
    }
  });
}
