import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { costOf } from './cost.ts';

/** Stores that a request is about to leave, and what it costs: after a crash it is looked for, and the budget still holds. */
export function intend(context: Context, row: OutboxRow): void {
  const { store, clock } = context;
  const now = clock.now();
  store.transaction(() => {
    store.outbox.mark(row.operation.key, { state: 'sent', sentAt: now, attempts: row.attempts + 1, why: null });
    store.budgets.spend(row.operation.on, costOf(row.operation), { at: now, points: 1 });
  });
}
