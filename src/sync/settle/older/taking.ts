/**
 * What a withdrawal or a move takes from an issue: our own account did that, and the tracker never showed it. The state
 * may know nothing of it.
 */

import type { RouteState } from '../../../kernel/context.ts';
import type { Issue } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import { isBy } from '../../../model/people.ts';
import type { Actor, LastAsk } from '../../../model/replica.ts';
import { type Difference, has, type Origin } from '../../../rules/fields/last-set.ts';
import { isOpenView } from '../../../rules/fields/status.ts';
import { isTitledAway } from '../../../rules/plan/moves.ts';
import { hasPlainFooter, isNeutralTitle, neutralTitle, saysOfNoBug } from '../../../rules/privacy/neutral.ts';
import { saysMoved } from '../../../text/marker.ts';

export const asksOfTaking = ({ bug }: Link): LastAsk => [
  [{ event: 'locked', name: null }],
  [{ event: 'unlocked', name: null }],
  bug === null ? [] : [{ event: 'renamed', name: neutralTitle(bug) }],
];

/** When something was taken: `all` of what our account did may be that, or what it did between two times. */
export type Taking = 'all' | 'unknown' | readonly { readonly from: number; readonly until: number }[];

/**
 * A withdrawal takes everything, and then locks; it unlocks, and then gives everything back. One that was cut short has
 * not locked; it closed the issue when it gave it the title, which people may have changed since.
 */
const [beforeMs, afterMs] = [3_600_000, 60_000];

/** @param actors who locked the issue, who unlocked it, and who gave it the title of a withdrawal */
export function takingOf(
  { route, session }: RouteState,
  { bug }: Link,
  issue: Issue,
  [locker, unlocker, titler]: readonly (Actor | null)[],
): Taking {
  const { title, body } = issue;
  const isTitled = bug !== null && (isNeutralTitle(title, bug) || isTitledAway(title, bug));
  const isPlain = bug !== null && hasPlainFooter(route.instance, body, bug);
  if (isTitled || isPlain || saysOfNoBug(issue) || saysMoved(route.instance, body)) return 'all';
  // Each issue is locked.
  if (route.visitors === 'lock') return 'unknown';
  const at = (actor: Actor | null | undefined): number | null =>
    actor?.at != null && isBy(actor, session.own.github) ? actor.at : null;
  const [lockedAt, unlockedAt, titledAt] = [at(locker), at(unlocker), at(titler)];
  const isOpen = lockedAt !== null && unlockedAt !== null && unlockedAt >= lockedAt;
  const untilAt = isOpen ? unlockedAt + afterMs : Number.POSITIVE_INFINITY;
  return [
    ...(lockedAt === null ? [] : [{ from: lockedAt - beforeMs, until: untilAt }]),
    ...(titledAt === null ? [] : [{ from: titledAt - afterMs, until: titledAt + afterMs }]),
  ];
}

/** Where a value of GitHub's comes from, if our own account set it then. A withdrawal gives an issue no values. */
export function originIn(taking: Taking, { field, element, tracker, github }: Difference, at: number): Origin {
  if (taking === 'all') return 'taken';
  const isShown = element === null ? github !== null : has(github, element);
  const isOpened = field === 'status' && isOpenView(String(github));
  if (isShown && field !== 'status') return 'copy';
  if (typeof taking !== 'string' && taking.some(({ from, until }) => at >= from && at <= until)) return 'taken';
  // A closed issue is opened to get another reason.
  return taking === 'unknown' || (isOpened && !isOpenView(String(tracker))) ? 'unclear' : 'copy';
}
