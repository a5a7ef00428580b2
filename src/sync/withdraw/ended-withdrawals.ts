import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';

/**
 * Finds out who opened the withdrawn issues that show nothing of that any more. If our own account did, the withdrawal
 * was taken back, and the state is older. If people did, it has not ended: what it closed and took off is no edit, and
 * is given back once the bug may be shown. Costs requests only for such issues. Throws `SideError`.
 */
export async function findEndedWithdrawals(context: Context, links: readonly Link[]): Promise<void> {
  const { store, lookTurns } = context;
  for (const link of links) {
    const { id, github } = link;
    lookTurns.opened.set(id, null);
    const isEnded = await spareAsync(context, workOn(context, link, 'plan'), () => isOpenedByUs(context, link));
    if (isEnded === null) continue;
    lookTurns.opened.set(id, github?.changedAt ?? null);
    const now = store.links.byId(id);
    if (now !== null) store.links.save({ ...now, isWithdrawn: now.isWithdrawn && !isEnded, urgency: 'live' });
  }
}

/** Null if GitHub does not say it now. */
async function isOpenedByUs({ github, session }: Context, { issue }: Link): Promise<boolean | null> {
  if (issue === null || session.own.github === null) return false;
  const actors = await github.lastActors(issue, [[{ event: 'unlocked', name: null }]]).catch(ofIssue);
  if (actors instanceof SideError) return actors.kind === 'later' ? null : false;
  return isLogin(actors?.[0]?.login ?? '', session.own.github);
}
