import { bugId, issueNumber, type Side } from '../model/ids.ts';
import type { Issue, Item } from '../model/item.ts';
import type { Link, NewLink, Urgency } from '../model/link.ts';
import { parseGithubMarker } from '../text/marker.ts';
import type { Context } from './context.ts';

export const repoOf = ({ route }: Pick<Context, 'route'>): string => `${route.owner}/${route.repo}`;

/**
 * Whether the issue of a link is in another repository, which not everyone can read: then its address is for those who
 * can, and no text of this route has it.
 */
export const isShutAway = (context: Pick<Context, 'route' | 'store'>, { repo, route }: Pick<Link, 'repo' | 'route'>) =>
  repo !== repoOf(context) && context.store.cursors.get(route, 'github')?.isPrivate === true;

export function linkOf(context: Pick<Context, 'route' | 'store'>, side: Side, ref: number): Link | null {
  const { links } = context.store;
  return side === 'tracker' ? links.byBug(bugId(ref)) : links.byIssue(repoOf(context), issueNumber(ref));
}

/**
 * Pairs whose issue this one may be, transferred from another repository: an issue keeps its text, its author and the
 * time when it was opened. GitHub has to say whether it is so.
 */
export function comesFrom(context: Pick<Context, 'route' | 'store'>, issue: Issue): readonly Link[] {
  const { store, route } = context;
  const marker = parseGithubMarker(route.instance, issue.body);
  const named = marker === null ? null : store.links.byBug(bugId(marker.bug));
  const like = marker === null ? store.links.ofAge(issue.createdAt) : store.links.former(bugId(marker.bug));
  const isHere = ({ repo, issue: number }: Link): boolean => repo === repoOf(context) && number === issue.number;
  return [...(named === null ? [] : [named]), ...like].filter(
    (link) =>
      link.state !== 'tombstone' &&
      link.issue !== null &&
      !isHere(link) &&
      link.github?.createdAt === issue.createdAt &&
      link.github.author.login === issue.author.login,
  );
}

/** @returns the link with the item as it is now; it becomes no less urgent */
export function withItem(link: Link, item: Item, urgency: Urgency): Link;
export function withItem(link: NewLink, item: Item, urgency: Urgency): NewLink;
export function withItem(link: NewLink, item: Item, urgency: Urgency): NewLink {
  const raised =
    link.urgency === 'live' || urgency === 'live'
      ? 'live'
      : link.urgency === 'backfill' || urgency === 'backfill'
        ? 'backfill'
        : 'none';
  if (item.kind === 'issue') return { ...link, issue: item.number, github: item, urgency: raised };
  return { ...link, bug: item.id, tracker: item, urgency: raised };
}

/**
 * Whether we wait for what we made for this link, on a side that does not say which account is ours: then its name must
 * do.
 */
export function isAwaited(
  { store, session }: Pick<Context, 'store' | 'session'>,
  side: Side,
  link: Link | null,
): boolean {
  if (session.own[side] !== null || link === null) return false;
  return store.outbox
    .ofLink(link.id)
    .some(({ operation: { kind, on }, state }) => kind === 'create' && on === side && state === 'sent');
}
