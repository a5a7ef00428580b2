import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import type { Link } from '../../model/link.ts';
import { isDoneByUs } from './done-by-us.ts';

/**
 * Finds out who opened the withdrawn issues that show nothing of that any more. If our own account did, the withdrawal
 * was taken back, and the state is older. If people did, it has not ended: what it closed and took off is no edit, and
 * is given back once the bug may be shown. Costs requests only for such issues. Throws `SideError`.
 */
export async function findEndedWithdrawals(context: Context, links: readonly Link[]): Promise<void> {
  const { store, lookTurns } = context;
  for (const link of links) {
    const { id, issue, github } = link;
    const isOpenedByUs = async () => issue !== null && isDoneByUs(context, issue, 'unlocked');
    lookTurns.opened.set(id, null);
    const isEnded = await spareAsync(context, workOn(context, link, 'plan'), isOpenedByUs);
    if (isEnded === null) continue;
    lookTurns.opened.set(id, github?.changedAt ?? null);
    const now = store.links.byId(id);
    if (now !== null) store.links.save({ ...now, isWithdrawn: now.isWithdrawn && !isEnded, urgency: 'live' });
  }
}
