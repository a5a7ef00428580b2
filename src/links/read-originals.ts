import { duplicateNamed } from '../fields/relations.ts';
import type { Context } from '../kernel/context.ts';
import { issueNumber, type LinkId } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { sameName } from './named.ts';
import { repoOf } from './observe.ts';

/**
 * The originals of issues that people closed as duplicates, as links. GitHub's lists do not show them, so each costs a request: only until
 * the tracker has the status, and only if no comment names the original. Reads throw `SideError`.
 */
export async function readOriginals(context: Context, links: readonly Link[]): Promise<ReadonlyMap<LinkId, Link>> {
  const found = new Map<LinkId, Link>();
  for (const { id } of links) {
    const link = context.store.links.byId(id);
    if (link === null || link.issue === null || !isNews(context, link)) continue;
    const place = await context.github.original(link.issue);
    if (place === null) continue;
    const repo = sameName(place.repo, repoOf(context)) ? repoOf(context) : place.repo;
    const original = context.store.links.byIssue(repo, issueNumber(place.number));
    if (original !== null) found.set(id, original);
  }
  return found;
}

/** Whether the issue was closed as a duplicate, and the tracker does not say so yet. */
function isNews(context: Context, { id, state, base, tracker, github }: Link): boolean {
  if (context.route.direction === 'to-github' || state !== 'live' || github?.reason !== 'duplicate') return false;
  if (tracker?.dupeOf != null || base?.github['status'] === 'duplicate') return false;
  return duplicateNamed(repoOf(context), context.store.commentLinks.ofLink(id)) === null;
}
