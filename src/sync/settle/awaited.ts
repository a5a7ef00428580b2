/**
 * Bugs whose issues people transferred to another repository of the bridge: the routes of that one may pair the two.
 * They are asked to read the issue, as no list need show it, and the bug waits for the turn in which they do.
 */

import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { contentOf } from '../../kernel/set-aside.ts';
import { type BugId, bugId, issueNumber } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
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

/**
 * Whether a bug waits for another route to read issues of its repository, which the bug names in our words: a state
 * that was put back, or lost, may know neither, and the bug may have moved to the product of this route since. What it
 * waits for is kept, so that it is asked for once.
 */
export function waitsForReading(context: Context, bug: BugId, places: readonly IssuePlace[]): boolean {
  const { store, route, clock } = context;
  const links = places.flatMap((place) => linkAt(context, place) ?? []);
  if (links.some((link) => link.state === 'live' && link.bug === null && link.urgency !== 'none' && !isFormer(link)))
    return true;
  const unread = places.filter((place) => linkAt(context, place) === null);
  if (unread.length === 0) return false;
  const names = unread.map(({ repo, number }) => `${repo}#${number}`).join(', ');
  const asked = contentOf('thread', names);
  if (store.setAside.get(route.name, 'tracker', bug)?.content !== asked) {
    const at = clock.now();
    store.transaction(() => {
      for (const place of unread)
        askRoutes(context, place, `bug ${bug} names it and moved, and it was not read since`, bugAsking(bug));
      const why = `it may belong to ${names}, which another route has not read yet`;
      store.setAside.put({ ...rowOf(context, route.name, bug), side: 'tracker', why, at, retryAt: at, content: asked });
    });
  }
  return unread.some((place) => rowsThere(context, place).some((row) => clock.now() - row.sinceAt < longestMs));
}

const rowsThere = ({ store, lookTurns }: Context, { repo, number }: IssuePlace): readonly SetAside[] =>
  lookTurns.routesOf(repo).flatMap((name) => store.setAside.get(name, 'github', number) ?? []);

function ask(context: Context, claim: number, place: IssuePlace): void {
  const { store, route, clock } = context;
  const at = clock.now();
  store.transaction(() => {
    const there = linkAt(context, place);
    if (there !== null) markDirty(context, there.id);
    else askRoutes(context, place, 'people transferred it, and it was not read since');
    store.setAside.put({
      ...rowOf(context, route.name, claim),
      why: `people transferred it to ${place.repo}#${place.number}, where it was not read yet`,
      ...{ at, retryAt: at + longestMs, content: contentAt(place) },
    });
  });
}

/** Which bug of another route an issue may have, if that has it read. */
export function askedFor({ store, route }: RouteState, { number }: Issue): BugId | null {
  const { content = '' } = store.setAside.get(route.name, 'github', number) ?? {};
  const [, bug] = /^item bug (\d+)$/u.exec(content) ?? [];
  return bug === undefined ? null : bugId(Number(bug));
}

const bugAsking = (bug: BugId): string => `bug ${bug}`;

/** Has the routes of the place read the issue in their next cycles. */
function askRoutes(context: Context, place: IssuePlace, why: string, version = ''): void {
  const { store, lookTurns, clock } = context;
  const at = clock.now();
  for (const name of lookTurns.routesOf(place.repo))
    if (store.setAside.get(name, 'github', place.number) === null)
      store.setAside.put({
        ...rowOf(context, name, place.number),
        ...{ why, at, retryAt: at, content: contentOf('item', version) },
      });
}

const rowOf = ({ version }: Context, route: string, ref: number) =>
  ({ route, side: 'github', ref, stage: 'read', cause: 'side', version }) as const;
