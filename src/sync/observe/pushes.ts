import type { Context } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { rowReader } from '../../kernel/read-rows.ts';
import { isFault, spareOf } from '../../kernel/set-aside.ts';
import type { LinkId } from '../../model/ids.ts';
import { type Commit, commitName, type Push } from '../../model/pulls/push.ts';
import type { CommitRule } from '../../model/route.ts';
import { namedLinks } from './pulls.ts';

/** Whoever merges a branch of years may name all bugs at once, and each of them would send mail. */
const linksMax = 50;

/**
 * Stores what a push says of the links that its commits name, and marks these. A commit that comes to the branch again
 * is no news.
 */
export function observePush(context: Context, { patterns }: CommitRule, push: Push): void {
  const named = new Map<LinkId, Commit[]>();
  for (const commit of push.commits)
    for (const link of namedIn(context, commit, patterns)) named.set(link, [...(named.get(link) ?? []), commit]);
  if (named.size > linksMax) return;
  for (const [link, all] of named) spareOf(context, link, 'read', () => keepPush(context, link, all, push));
}

/** A commit has no number by which it could be set aside. One on which we fail names nothing, and keeps up no other. */
function namedIn(context: Context, commit: Commit, patterns: CommitRule['patterns']): readonly LinkId[] {
  const { route, version, store, watch } = context;
  const rows = rowReader({ route: route.name, version, store, watch });
  const row = { side: 'github', ref: 0, name: commitName(commit.sha), of: 'item', version: [commit.sha] } as const;
  try {
    return rows.read(row, () => namedLinks(context, commit, patterns));
  } catch (error) {
    if (!isFault(context, error)) throw error;
    return [];
  }
}

function keepPush(context: Context, link: LinkId, all: readonly Commit[], { branch, unread }: Push): void {
  const { store } = context;
  const known = new Set(store.pushes.ofLink(link).flatMap(({ commits }) => commits.map(({ url }) => url)));
  const commits = withoutMerges(all).filter(({ url }) => !known.has(url));
  const newest = commits.at(-1);
  if (newest === undefined) return;
  store.pushes.save({ link, url: newest.url, branch, commits, unread, isTold: false });
  markDirty(context, link);
}

/** A merge repeats what its commits say, unless it alone names the bug. */
function withoutMerges(commits: readonly Commit[]): readonly Commit[] {
  const own = commits.filter(({ isMerge }) => !isMerge);
  return own.length === 0 ? commits : own;
}
