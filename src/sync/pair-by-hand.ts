import type { Context, RouteState } from '../kernel/context.ts';
import { linkOf, repoOf, withItem } from '../kernel/linked.ts';
import { liftSetAside } from '../kernel/set-aside.ts';
import type { HandPair } from '../model/control.ts';
import type { Bug, Issue } from '../model/item.ts';
import type { Link } from '../model/link.ts';
import { type Gone, isUnknownNumber } from '../model/outcome.ts';
import { type NamedPair, whyNotPaired } from '../rules/links/pair-by-hand.ts';
import { bind } from './observe/bind-ends.ts';
import { oneEnded } from './observe/observe-items.ts';

/**
 * Makes a bug and an issue a pair because a person says so. Nothing was agreed on before, so each difference is one of
 * first contact. Returns why they are no pair; null on success. Throws `SideError`.
 */
export async function pairByHand(context: Context, pair: HandPair): Promise<string | null> {
  const items = await readPair(context, pair);
  if (typeof items === 'string') return items;
  const { store, route } = context;
  return store.transaction(() => {
    const named = withLinks(context, items);
    const why = whyNot(context, named);
    if (why !== null) return why;
    const { bug, issue, ofBug, ofIssue } = named;
    const ends = [ofBug, ofIssue].filter((link) => link !== null);
    // The counterparts that were planned for the two are not needed any more.
    store.outbox.replace(
      route.name,
      ends.map(({ id }) => id),
      [],
    );
    liftSetAside(context, 'tracker', bug.id);
    liftSetAside(context, 'github', issue.number);
    const bugLink = withItem(
      ofBug ?? store.links.add(withItem(oneEnded(context, 'tracker'), bug, 'live')),
      bug,
      'live',
    );
    if (ofIssue === null) bind(context, bugLink, null, issue, 'live', 'command');
    else bind(context, withItem(ofIssue, issue, 'live'), bugLink, bug, 'live', 'command');
    return null;
  });
}

/** Why the two would not become a pair; null if they would. Changes nothing. Throws `SideError`. */
export async function whyNoPair(context: Context, pair: HandPair): Promise<string | null> {
  const items = await readPair(context, pair);
  return typeof items === 'string' ? items : whyNot(context, withLinks(context, items));
}

/** Both items as they are now; why one of them is gone. */
async function readPair(
  context: Context,
  { bug, issue }: HandPair,
): Promise<string | { readonly bug: Bug; readonly issue: Issue }> {
  const [ofTracker, ofGithub] = [await context.tracker.probe(bug), await context.github.probe(issue)];
  if (ofTracker.kind === 'gone') return goneInWords('the tracker', `bug ${bug}`, ofTracker.gone);
  if (ofGithub.kind === 'gone') return goneInWords('GitHub', `${repoOf(context)}#${issue}`, ofGithub.gone);
  return { bug: ofTracker.item, issue: ofGithub.item };
}

/** A number that does not exist is a slip of the hand, and the address of the interface helps nobody. */
const goneInWords = (side: string, about: string, gone: Gone): string =>
  isUnknownNumber(gone) ? `${side} has no ${about}; check the number` : `${about} cannot be read: ${gone.why}`;

const withLinks = (context: RouteState, { bug, issue }: Pick<NamedPair, 'bug' | 'issue'>): NamedPair => ({
  bug,
  issue,
  ofBug: linkOf(context, 'tracker', bug.id),
  ofIssue: linkOf(context, 'github', issue.number),
});

const whyNot = (context: RouteState, pair: NamedPair): string | null =>
  whyNotPaired(context.route, pair, context.session.own) ??
  ([pair.ofBug, pair.ofIssue].some((link) => link !== null && isInDoubt(context, link))
    ? 'it is not known yet whether one of them has just got a counterpart; try again after the next cycle'
    : null);

const isInDoubt = ({ store }: RouteState, { id }: Link): boolean =>
  store.outbox.ofLink(id).some(({ state }) => state === 'sent');
