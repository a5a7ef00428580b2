import type { Context, RouteState } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { bugId } from '../../model/ids.ts';
import type { Bug, Item } from '../../model/item.ts';
import type { Link } from '../../model/link.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import { linkAfter } from '../../rules/links/life.ts';
import { isArriving, whyNotSelected } from '../../rules/links/match.ts';

/** Has the route take the bugs that moved to its product. */
export function takeMoved(context: RouteState, take: (bug: Bug) => void): void {
  const { store, route } = context;
  store.transaction(() => {
    for (const { tracker } of store.links.moved(route.selection.product, route.name))
      if (tracker !== null) take(tracker);
  });
}

/**
 * Whether the route may take a bug from the route that had it. A bug that was hidden when it moved says nothing any
 * more on the issue that it had. While a request of the other route is in doubt, nobody knows yet what there is to
 * leave behind.
 */
export function mayTake({ store, route }: RouteState, own: Link, item: Item): item is Bug {
  if (item.kind !== 'bug' || own.route === route.name || route.direction === 'to-tracker') return false;
  // It did not move: its issue was transferred.
  if (own.takenFrom === item.product) return false;
  const wasHidden = own.state === 'frozen' && own.frozenBy === 'tracker';
  if (own.movedTo !== item.product && !wasHidden) return false;
  return whyNotSelected(route, item) === null && !store.outbox.ofLink(own.id).some(({ state }) => state === 'sent');
}

/** The bug leaves the link that it had. */
export function takeOver(context: Context, own: Link, bug: Bug): void {
  const { store, route, clock } = context;
  const reason = `bug ${bug.id} moved to product ${bug.product}, which route ${route.name} takes`;
  store.outbox.replace(own.route, [own.id], []);
  store.findings.replace(own.id, [], [], clock.now());
  store.looks.settle(own.id);
  if (own.repo === `${route.owner}/${route.repo}`) {
    store.links.save({ ...own, route: route.name, movedTo: null, urgency: 'live' });
    return;
  }
  if (own.issue === null) store.links.remove(own.id);
  else {
    store.ledger.add({ ...lineOf(context, own, 'freeze', { reason }), route: own.route });
    store.links.save(leftBy(own, bug.id, bug.product, reason));
  }
  for (const each of store.links.claiming(own.repo, 'github', bug.id)) store.links.save({ ...each, urgency: 'live' });
  for (const former of store.links.former(bug.id))
    if (former.route !== route.name && former.id !== own.id) store.links.save({ ...former, urgency: 'live' });
}

/** The link of an issue that its bug left for another product. */
const leftBy = (link: Link, bug: number, product: string, reason: string): Link => ({
  ...linkAfter(link, { kind: 'vanished', by: 'tracker', reason }),
  ...{ bug: null, claim: bug, movedTo: product, urgency: 'live' },
});

/** Has a link without a bug keep the issue only, as the bug that the issue names goes on with another link. */
export function leaveBehind({ store }: RouteState, link: Link): void {
  const { claim } = link;
  const holder = claim === null ? null : store.links.byBug(bugId(claim));
  if (holder === null || claim === null) return;
  store.links.save(leftBy(link, claim, holder.tracker?.product ?? '', `bug ${claim} goes on in another issue`));
}

/** A bug that no link has gets back the one that it had here. */
export function takeBack(context: Context, bug: Bug): void {
  const { store, route } = context;
  const earlier = store.links.former(bug.id).find((former) => former.route === route.name);
  if (earlier !== undefined && whyNotSelected(route, bug) === null) comeBack(context, earlier, bug);
}

/** A bug that was away is read from its beginning, as one that was hidden is. */
function comeBack({ store, ...context }: Context, former: Link, bug: Bug): void {
  const back = linkAfter(former, { kind: 'shown' });
  store.links.save({
    ...back,
    bug: bug.id,
    tracker: bug,
    claim: null,
    threadReadAt: null,
    visibility: null,
    urgency: 'live',
  });
  store.ledger.add(lineOf(context, { ...back, bug: bug.id }, 'thaw', { reason: former.reason }));
}

/** The pair of the bug that an issue without a bug names. */
export function doubleOf(context: RouteState, { bug, claim }: Link): Pick<PlanInput, 'double'> {
  const holder = bug === null && claim !== null ? linkOf(context, 'tracker', claim) : null;
  if (holder === null || holder.issue === null) return {};
  return { double: { issue: holder.issue, isArriving: isArriving(context.route, holder) } };
}
