import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import { ofIssue } from '../../kernel/unread.ts';
import type { LinkId } from '../../model/ids.ts';
import { type Link, shownBug } from '../../model/link.ts';
import { SideError } from '../../model/outcome.ts';
import { isLogin } from '../../model/people.ts';
import { isNeutralBody } from '../../rules/privacy/neutral.ts';
import { asWithdrawn } from '../withdraw/seen-withdrawal.ts';

/**
 * Finds the issues that our own account locked for a withdrawal which an older state does not know: one that got no
 * further, or whose issue people have renamed since. They are unlocked in the next cycle. Costs requests only for
 * locked issues.
 * @returns the pairs that were found: they are not planned before
 */
export async function findLocks(context: Context, links: readonly Link[]): Promise<ReadonlySet<LinkId>> {
  const found = new Set<LinkId>();
  for (const link of links) {
    const work = () => isLockedByUs(context, link);
    if ((await spareAsync(context, workOn(context, link, 'plan'), work)) !== true) continue;
    const { store, route } = context;
    const isEmptied = isNeutralBody(route.instance, link.github?.body ?? '', shownBug(link) ?? 0);
    store.transaction(() =>
      store.links.save(isEmptied ? asWithdrawn(context, link) : { ...link, isWithdrawn: true, urgency: 'live' }),
    );
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
