/**
 * A side that went back: a tracker whose backup was restored, or a repository that was made anew under its name. It
 * gives numbers a second time that belong to pairs, and what has such a number now is not what the pair mirrors.
 */

import type { Context } from '../../kernel/context.ts';
import { lineOf } from '../../kernel/outbox.ts';
import { forgetEnds, spare, workOn } from '../../kernel/set-aside.ts';
import { otherSide, type Side } from '../../model/ids.ts';
import { type Item, sideOf } from '../../model/item.ts';
import { aboutOf, type Link } from '../../model/link.ts';
import { WentBack } from '../../model/outcome.ts';
import type { MirroredBug } from '../../model/survey.ts';
import { linkAfter } from '../../rules/links/life.ts';

/** A bug that could not be read right after it was filed has no status, and is known by the time of the answer. */
const answerMs = 300_000;
/** Stamps have whole seconds. */
const stampMs = 1_000;

/** How far another clock than ours may be ahead. */
const aheadMs = 24 * 3_600_000;

/**
 * Whether the number of the known item was given to another one. Nothing that people or administrators do to an item
 * changes what is compared. A time that cannot be true says nothing, as a tracker may show a wrong one of one bug: what
 * got the number later was made after the last change of the known item, before its own last change, and not in future.
 */
export function isAnother(known: Item, item: Item, now: number): boolean {
  if (known.kind === 'issue' || item.kind === 'issue')
    return known.kind === 'issue' && item.kind === 'issue' && known.id !== item.id;
  const { createdAt } = item;
  if (createdAt > now + aheadMs || createdAt > item.changedAt + stampMs || createdAt < known.changedAt) return false;
  const laterMs = createdAt - known.createdAt;
  const isRead = known.status !== '';
  return laterMs > (isRead ? stampMs : answerMs) || (laterMs > stampMs && item.creator.login !== known.creator.login);
}

/**
 * The link of the item; null if it has another item, of which the bridge lets go if a person wants that. Throws
 * `WentBack` otherwise.
 */
export function unlessAnother(context: Context, link: Link | null, item: Item): Link | null {
  const known = item.kind === 'bug' ? link?.tracker : link?.github;
  if (
    link === null ||
    link.route !== context.route.name ||
    known === null ||
    known === undefined ||
    !isAnother(known, item, context.clock.now())
  )
    return link;
  const side = sideOf(item);
  if (context.letsGo !== true) throw new WentBack(whyStopped(link, side), side);
  letGo(context, link, side);
  return null;
}

/** So many of the newest bugs are not deleted at once, while nothing newer is mirrored. */
export const newestMin = 2;

/**
 * Stops the route if the newest bugs that it mirrors do not exist any more: the tracker is as it was before them, and
 * gives their numbers again. Lets go of them if a person wants that. Throws `WentBack`.
 * @param isLost whether the bug does not exist
 */
export async function unlessLost(
  context: Context,
  isLost: (bug: MirroredBug) => boolean | Promise<boolean>,
): Promise<void> {
  const { store, route } = context;
  for (let min = newestMin; ; min = 1) {
    const newest = store.looks.newest([route.name], min);
    for (const each of newest) if (!(await isLost(each))) return;
    const links = newest.flatMap(({ id }) => store.links.byId(id) ?? []);
    if (links.length === 0) return;
    const kept = context.letsGo === true ? links.filter((link) => !isLetGo(context, link)) : links;
    if (kept.length > 0) throw new WentBack(whyLost(kept), 'tracker');
  }
}

/** A pair of which a fault of ours keeps hold stops the route still. */
const isLetGo = (context: Context, link: Link): boolean =>
  spare(context, workOn(context, link, 'read'), () => {
    letGo(context, link, 'tracker');
    return true;
  }) === true;

const whyLost = (links: readonly Link[]): string =>
  `${links.map((link) => aboutOf(link, 'tracker')).join(' and ')}, the newest that the route mirrors, ` +
  'do not exist any more: the tracker has gone back, as after a restored backup, or somebody deleted them. Nothing was written. ' +
  'To let go of the pairs whose bugs are gone, run bugferry once --force: their issues stay as they are, and are not mirrored any more.';

function whyStopped(link: Link, side: Side): string {
  const about = aboutOf(link, side);
  const cause =
    side === 'tracker'
      ? 'the tracker has gone back, as after a restored backup'
      : 'the repository was made anew under its name';
  return (
    `${about} is not the one that the bridge knows by this number: ${cause}. Nothing was written. ` +
    'To let go of the pairs whose numbers were given again, run bugferry once --force: their other ends stay as they are, and are not mirrored any more.'
  );
}

/**
 * The end on that side is gone, and its number free. The other end stays as it is, and never gets another counterpart.
 */
export function letGo(context: Pick<Context, 'store' | 'route' | 'clock'>, link: Link, side: Side): void {
  const { store, route } = context;
  const reason = `${aboutOf(link, side)} is gone, as that side went back`;
  store.ledger.add(lineOf(context, link, 'bury', { reason }));
  if ((side === 'tracker' ? link.issue : link.bug) === null) {
    store.links.remove(link.id);
    return;
  }
  store.outbox.replace(route.name, [link.id], []);
  forgetEnds(context, link);
  store.receipts.remove(link.id);
  const left = side === 'tracker' ? { bug: null, tracker: null } : { issue: null, github: null };
  const buried: Link = { ...linkAfter(link, { kind: 'deleted', reason }), ...left };
  store.links.save({ ...buried, claim: null, pointed: { ...link.pointed, [otherSide(side)]: false }, urgency: 'none' });
}
