import { isAskedToWait, keepBackoff } from '../../kernel/backoff.ts';
import type { Context } from '../../kernel/context.ts';
import { SideError } from '../../model/outcome.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';

/** How long a write waits for what only GitHub can add to it. */
const waitMs = 10 * 60_000;

/** The answer of GitHub; `waits` if it does not answer just now, and null if it did not for ten minutes. */
export async function askInTime<T>(
  context: Context,
  row: OutboxRow,
  ask: () => Promise<T>,
): Promise<T | 'waits' | null> {
  if (isAskedToWait(context, 'github')) return waitOn(context, row);
  try {
    return await ask();
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
    keepBackoff({ ...context, name: context.route.name }, failure);
    return waitOn(context, row);
  }
}

/** The wait counts from the first try: whoever goes on changing the issue does not prolong it. */
function waitOn({ store, clock }: Context, { operation, waitingSince }: OutboxRow): 'waits' | null {
  const since = waitingSince ?? clock.now();
  if (clock.now() >= since + waitMs) return null;
  store.outbox.mark(operation.key, { waitingSince: since });
  return 'waits';
}
