import type { Context, RouteState } from '../../kernel/context.ts';
import { spare, workOn } from '../../kernel/set-aside.ts';
import type { Link } from '../../model/link.ts';
import { bugFields, issueFields } from '../../rules/fields/comparable.ts';
import { lapsing } from '../../rules/fields/traits.ts';

/**
 * Marks pairs dirty if their assignee or milestone differs from the base although neither item changed: `people` lists
 * a new person, or the tracker has a new milestone. They join the backfill.
 */
export function markAssignedDirty(context: Context): void {
  const { route, store } = context;
  if (!route.assignee && !route.milestones) return;
  for (const links of store.links.batches(route.name)) {
    store.transaction(() => {
      for (const link of links)
        if (spare(context, workOn(context, link, 'read'), () => hasLapsed(context, link)) === true)
          store.links.save({ ...link, urgency: 'backfill' });
    });
  }
}

function hasLapsed({ route, session }: RouteState, { state, urgency, base, tracker, github }: Link): boolean {
  if (state !== 'live' || urgency !== 'none' || base === null || tracker === null || github === null) return false;
  const bug = bugFields(route, tracker);
  const { fields: issue } = issueFields(route, session.vocabulary, github, base.github, bug);
  return lapsing.some((field) => {
    const [t, g] = [bug[field], issue[field]];
    if (t === undefined || g === undefined) return false;
    return t !== base.tracker[field] || g !== base.github[field];
  });
}
