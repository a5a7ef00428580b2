import type { RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import type { LinkId } from '../../model/ids.ts';
import type { Commit, Push } from '../../model/pulls/push.ts';
import type { CommitRule } from '../../model/route.ts';
import { namedLinks } from './pulls.ts';

/** Whoever merges a branch of years may name all bugs at once, and each of them would send mail. */
const linksMax = 50;

/**
 * Stores what a push says of the links that its commits name, and marks these. A commit that comes to the branch again
 * is no news.
 */
export function observePush(context: RouteState, { patterns }: CommitRule, push: Push): void {
  const { store } = context;
  const named = new Map<LinkId, Commit[]>();
  for (const commit of push.commits)
    for (const link of namedLinks(context, commit, patterns)) named.set(link, [...(named.get(link) ?? []), commit]);
  if (named.size > linksMax) return;
  for (const [link, all] of named) {
    const known = new Set(store.pushes.ofLink(link).flatMap(({ commits }) => commits.map(({ url }) => url)));
    const commits = withoutMerges(all).filter(({ url }) => !known.has(url));
    const newest = commits.at(-1);
    if (newest === undefined) continue;
    store.pushes.save({ link, url: newest.url, branch: push.branch, commits, unread: push.unread, isTold: false });
    markDirty(context, link);
  }
}

/** A merge repeats what its commits say, unless it alone names the bug. */
function withoutMerges(commits: readonly Commit[]): readonly Commit[] {
  const own = commits.filter(({ isMerge }) => !isMerge);
  return own.length === 0 ? commits : own;
}
