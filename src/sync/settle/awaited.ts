/**
 * Bugs whose issues people transferred to another repository of the bridge: the routes of that one may pair the two.
 * They are asked to read the issue, as no list need show it, and the bug waits for the turn in which they do.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { contentOf } from '../../kernel/set-aside.ts';
import { issueNumber } from '../../model/ids.ts';
import { isFormer } from '../../model/link.ts';
import { namedIn } from '../../model/named.ts';
import type { IssuePlace, SetAside } from '../../model/outcome.ts';

/** By then it is asked for again where it was, in case that nobody reads it any more where it is. */
const longestMs = 24 * 3_600_000;

/**
 * Whether a route may still pair a bug with the issue that it names, which people transferred to that place. Once the
 * routes there have read and planned the issue without the bug, they never will.
 */
export function mayStillPair(context: Context, claim: number, place: IssuePlace | null): boolean {
  const { store, route, lookTurns } = context;
  const there = place === null ? null : linkAt(context, place);
  const isFree = there === null || (there.bug === null && !isFormer(there));
  const isOver = place === null || lookTurns.routesOf(place.repo).length === 0 || !isFree;
  const known = store.setAside.get(route.name, 'github', claim);
  if (isOver || known?.content === contentAt(place)) {
    store.setAside.remove(route.name, 'github', claim);
    return false;
  }
  ask(context, claim, place);
  return true;
}

/** Whether the routes of the place where the issue is by now have been asked, and have not answered yet. */
export function isAsked(context: Context, claim: number): boolean {
  const { store, route, lookTurns } = context;
  const row = store.setAside.get(route.name, 'github', claim);
  const place = namedIn(row?.content.replace(contentOf('item', ''), '') ?? '');
  if (place?.kind !== 'issue') return false;
  const isUnread = (name: string): boolean => store.setAside.get(name, 'github', place.number) !== null;
  const urgency = linkAt(context, place)?.urgency ?? 'none';
  return urgency !== 'none' || lookTurns.routesOf(place.repo).some(isUnread);
}

const linkAt = ({ store }: RouteState, { repo, number }: IssuePlace) => store.links.byIssue(repo, issueNumber(number));

const contentAt = ({ repo, number }: IssuePlace): string => contentOf('item', `${repo}#${number}`);

function ask(context: Context, claim: number, place: IssuePlace): void {
  const { store, route, clock, version, lookTurns } = context;
  const at = clock.now();
  const row = (
    name: string,
    ref: number,
    why: string,
  ): Omit<SetAside, 'sinceAt' | 'count' | 'retryAt' | 'content'> => ({
    ...{ route: name, side: 'github', ref, stage: 'read', cause: 'side', why, version },
  });
  store.transaction(() => {
    const there = linkAt(context, place);
    if (there !== null) markDirty(context, there.id);
    for (const name of there === null ? lookTurns.routesOf(place.repo) : [])
      if (store.setAside.get(name, 'github', place.number) === null)
        store.setAside.put({
          ...row(name, place.number, 'people transferred it, and it was not read since'),
          ...{ at, retryAt: at, content: contentOf('item', '') },
        });
    store.setAside.put({
      ...row(route.name, claim, `people transferred it to ${place.repo}#${place.number}, where it was not read yet`),
      ...{ at, retryAt: at + longestMs, content: contentAt(place) },
    });
  });
}
