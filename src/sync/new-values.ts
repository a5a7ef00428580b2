/** Values that people set on GitHub and that the tracker has only since it was last asked for its values. */

import type { Context } from '../kernel/context.ts';
import { spare, workOn } from '../kernel/set-aside.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import { bugFields, issueFields } from '../rules/fields/comparable.ts';

/** How long the last answer to that question holds. */
const againMs = 300_000;

/**
 * The tracker is asked for its values once a day. Before a plan says that it has no such value, and undoes what people
 * set, it is asked once more. If it does not answer, its last answer holds.
 */
export async function askForNewValues(context: Context, links: readonly Link[]): Promise<void> {
  const { route, session, tracker, clock, lookTurns } = context;
  const askedAt = lookTurns.valuesAskedAt.get(route.name);
  if (askedAt !== undefined && Math.abs(clock.now() - askedAt) < againMs) return;
  const isUnknown = (link: Link) => spare(context, workOn(context, link, 'plan'), () => showsUnknown(context, link));
  if (route.direction === 'to-github' || !links.some((link) => isUnknown(link) === true)) return;
  lookTurns.valuesAskedAt.set(route.name, clock.now());
  try {
    session.vocabulary = await tracker.vocabulary(true);
  } catch (failure) {
    if (!(failure instanceof SideError)) throw failure;
  }
}

function showsUnknown({ route, session: { vocabulary } }: Context, { tracker, github, base }: Link): boolean {
  if (github === null) return false;
  const bug = tracker === null ? {} : bugFields(route, tracker);
  const { fields, unknown, foreign } = issueFields(route, vocabulary, github, base?.github ?? {}, bug);
  const isMilestoneUnknown = route.milestones && github.milestone !== null && fields.milestone === undefined;
  return unknown.length > 0 || foreign.length > 0 || isMilestoneUnknown;
}
