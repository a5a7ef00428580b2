import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';

/**
 * Finds the issues that our own account locked for a withdrawal which got no further, and which an older state does not
 * know: they are unlocked in the next cycle. Costs requests only for locked issues.
 * @returns the pairs that were found: they are not planned before
 */
export async function findLocks(context: Context, links: readonly Link[]): Promise<ReadonlySet<LinkId>> {
  const found = new Set<LinkId>();
  for (const link of links) {
    const work = () => isLockedByUs(context, link);
    if ((await spareAsync(context, workOn(context, link, 'plan'), work)) !== true) continue;
    context.store.links.save({ ...link, isWithdrawn: true, urgency: 'live' });
    found.add(link.id);
  }
  return found;
}

async function isLockedByUs({ github, session, route }: Context, link: Link): Promise<boolean> {
  const { issue, github: shown, isWithdrawn } = link;
  const own = session.own.github;
  // Where visitors are kept out, each issue is locked.
  if (issue === null || shown?.isLocked !== true || isWithdrawn || own === null || route.visitors === 'lock')
    return false;
  const actors = await github.lastActors(issue, [[{ event: 'locked', name: null }]]).catch(ofIssue);
  return !(actors instanceof SideError) && isLogin(actors?.[0]?.login ?? '', own);
}
