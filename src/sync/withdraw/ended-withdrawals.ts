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
export async function findEndedWithdrawals(context: Context): Promise<void> {
  const { store, route, lookTurns } = context;
  for (const id of lookTurns.opened) {
    const link = store.links.byId(id);
    if (link !== null && link.route !== route.name) continue;
    const isEnded =
      link?.isWithdrawn === true && link.issue !== null
        ? await spareAsync(context, workOn(context, link, 'plan'), () => isOpenedByUs(context, link))
        : false;
    if (isEnded === null) continue;
    lookTurns.opened.delete(id);
    if (link !== null) store.links.save({ ...link, isWithdrawn: link.isWithdrawn && !isEnded, urgency: 'live' });
  }
}

/** Null if GitHub does not say it now. */
async function isOpenedByUs({ github, session }: Context, { issue }: Link): Promise<boolean | null> {
  if (issue === null || session.own.github === null) return false;
  const actors = await github.lastActors(issue, [[{ event: 'unlocked', name: null }]]).catch(ofIssue);
  if (actors instanceof SideError) return actors.kind === 'later' ? null : false;
  return isLogin(actors?.[0]?.login ?? '', session.own.github);
}
