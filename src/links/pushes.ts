/** Commits that name bugs and issues: what a push brings, and what the bugs are told of it. */

import type { Context } from '../kernel/context.ts';
import { markDirty } from '../kernel/dirty.ts';
import type { LinkId } from '../model/ids.ts';
import { aboutOf, type CommentLink } from '../model/link.ts';
import type { Operation } from '../model/operation.ts';
import type { LinkPull } from '../model/pulls/pull.ts';
import type { Commit, Push, ToldCommit } from '../model/pulls/push.ts';
import type { CommitRule, Route } from '../model/route.ts';
import { fixedRemark, pullRemark, pushRemark } from '../text/marker.ts';
import type { PlanInput } from './plan-input.ts';
import { namedLinks } from './pulls.ts';

/** Whoever merges a branch of years may name all bugs at once, and each of them would send mail. */
const linksMax = 50;

/** Stores what a push says of the links that its commits name, and marks these. A commit that comes to the branch again is no news. */
export function observePush(context: Context, { patterns }: CommitRule, push: Push): void {
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

/**
 * What the bug is still to be told, with one comment for each push.
 * @param isClosing whether the bug is about to be closed, which names what fixed it
 */
export function planPushes(
  route: Route,
  { link, commentLinks, pushes = [], pulls = [] }: Pick<PlanInput, 'pushes' | 'pulls'> & Pick<PlanInput, 'link'> & Said,
  isClosing: boolean,
): readonly Operation<'push'>[] {
  if (isClosing) return [];
  const isSaid = (remark: string): boolean => commentLinks.some((commentLink) => commentLink.remark === remark);
  return pushes
    .filter(
      ({ isTold, url, commits }) => !isTold && !isSaid(pushRemark(url)) && !commits.every((each) => isKnown(route, each, pulls, isSaid)),
    )
    .map(({ url }) => ({
      kind: 'push',
      on: 'tracker',
      key: `${link.id}:tracker:push:${url}`,
      link: link.id,
      about: aboutOf(link, 'tracker'),
      push: url,
    }));
}

interface Said {
  readonly commentLinks: readonly Pick<CommentLink, 'remark'>[];
}

/** Whether the bug says already, or will say, that this commit fixed it, or that its pull request was merged. */
function isKnown(route: Route, commit: ToldCommit, pulls: readonly LinkPull[], isSaid: (remark: string) => boolean): boolean {
  const isOfMerged = (address: string): boolean => pulls.some(({ url, state }) => url === address && state === 'merged');
  return addressesOf(route, commit).some((each) => isSaid(fixedRemark(each)) || isSaid(pullRemark('merged', each)) || isOfMerged(each));
}

/** Of the commit, and of the pull request that it is the merge of, as GitHub titles such a commit. */
export function addressesOf({ webHost, owner, repo }: Route, { url, title }: Pick<ToldCommit, 'url' | 'title'>): readonly string[] {
  const [, merged, squashed = merged] = /^Merge pull request #(\d+) |\(#(\d+)\)$/u.exec(title) ?? [];
  return squashed === undefined ? [url] : [url, `https://${webHost}/${owner}/${repo}/pull/${squashed}`];
}
