import { linkOf } from '../kernel/linked.ts';
import { bodyId, type Link } from '../model/link.ts';
import type { SetAside } from '../model/outcome.ts';
import type { Route } from '../model/route.ts';
import type { SetAsideItem } from '../model/route-status.ts';
import type { Store } from '../model/store.ts';
import { linkInWords, sideInWords, timeInWords, withStop } from './words.ts';

/** The items that the route has set aside, with advice. */
export const setAsideOf = (store: Store, route: Route): readonly SetAsideItem[] =>
  store.setAside.ofRoute(route.name).map((row) => {
    const link = linkOf({ store, route }, row.side, row.ref);
    const item = link === null ? itemInWords(route, row) : linkInWords(link);
    return {
      ...row,
      about: row.comment === undefined ? item : `${item}, ${commentInWords(store, link, row)}`,
      link: link?.id ?? null,
      advice: adviceOn(route, row),
    };
  });

/** `bug 12`, or `acme/widget#5`. */
const itemInWords = ({ owner, repo }: Pick<Route, 'owner' | 'repo'>, { side, ref }: SetAside): string =>
  side === 'tracker' ? `bug ${ref}` : `${owner}/${repo}#${ref}`;

/** As the page of its bug counts it; on GitHub, comments have no numbers but those of their addresses. */
function commentInWords({ commentLinks }: Store, link: Link | null, { side, comment = bodyId }: SetAside): string {
  if (side === 'github') return comment === bodyId ? 'the text of the issue' : `comment ${comment} on GitHub`;
  const count = link === null ? null : commentLinks.ofSource(link.id, side, comment)[0]?.count;
  if (count === 0) return 'the description';
  return count == null ? `the comment with the id ${comment} on the tracker` : `comment ${count} of the bug`;
}

/** Since when and why the item is set aside, and what to do. */
export const asideInWords = (item: SetAside & Pick<SetAsideItem, 'advice'>, what = ''): string =>
  `${what}set aside since ${timeInWords(item.sinceAt)}: ${withStop(setAsideInWords(item))} ${item.advice}`;

/** What happened to the item. */
export const setAsideInWords = ({
  side,
  stage,
  cause,
  why,
}: Pick<SetAside, 'side' | 'stage' | 'cause' | 'why'>): string =>
  ({
    fault: `bugferry itself failed while ${stagesInWords[stage]} (${why})`,
    hang: `bugferry itself did not finish while ${stagesInWords[stage]} (${why})`,
    side: `${sideInWords(side)} failed while ${stagesInWords[stage]}: ${why}`,
  })[cause];

const stagesInWords: Readonly<Record<SetAside['stage'], string>> = {
  read: 'it was being read',
  plan: 'both sides were being compared',
  write: 'it was being written',
  withdraw: 'its private content was being withdrawn',
};

export function adviceOn(route: Pick<Route, 'owner' | 'repo'>, row: SetAside): string {
  const ofSide = row.side === 'tracker' ? 'Ask an administrator of the tracker for the cause. ' : '';
  const first = row.cause === 'side' ? ofSide : 'Please report it, with the log. ';
  const item = row.side === 'tracker' ? itemInWords(route, row) : `issue ${itemInWords(route, row)}`;
  // After a pause of the whole bridge, that time is past, and the next cycle tries.
  const itself = row.retryAt === null ? '' : `after ${timeInWords(row.retryAt)}, and `;
  const changing = row.side === 'tracker' ? 'bug' : 'issue';
  const change = `when the ${row.comment === undefined ? changing : 'comment'} changes`;
  const update = row.cause === 'side' ? '' : ', and after an update';
  return `${first}bugferry tries again ${itself}${change}${update}; bugferry resync ${item} does so now.`;
}
