import type { Context } from '../../kernel/context.ts';
import { spareAsync, workOn } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { isEmptied } from '../../rules/privacy/neutral.ts';
import { isDoneByUs } from '../withdraw/done-by-us.ts';
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
    store.transaction(() =>
      store.links.save(
        isEmptied(route.instance, link) ? asWithdrawn(context, link) : { ...link, isWithdrawn: true, urgency: 'live' },
      ),
    );
    found.add(link.id);
  }
  return found;
}

async function isLockedByUs(context: Context, { issue, github, isWithdrawn }: Link): Promise<boolean> {
  // Where visitors are kept out, each issue is locked.
  if (issue === null || github?.isLocked !== true || isWithdrawn || context.route.visitors === 'lock') return false;
  return (await isDoneByUs(context, issue, 'locked')) === true;
}
