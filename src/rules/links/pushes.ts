/** Commits that name bugs and issues: what a push brings, and what the bugs are told of it. */

import { aboutOf, type CommentLink } from '../../model/link.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LinkPull } from '../../model/pulls/pull.ts';
import type { ToldCommit } from '../../model/pulls/push.ts';
import type { Route } from '../../model/route.ts';
import { fixedRemark, pullRemark, pushRemark } from '../../text/marker.ts';

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
      ({ isTold, url, commits }) =>
        !isTold && !isSaid(pushRemark(url)) && !commits.every((each) => isKnown(route, each, pulls, isSaid)),
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
function isKnown(
  route: Route,
  commit: ToldCommit,
  pulls: readonly LinkPull[],
  isSaid: (remark: string) => boolean,
): boolean {
  const isOfMerged = (address: string): boolean =>
    pulls.some(({ url, state }) => url === address && state === 'merged');
  return addressesOf(route, commit).some(
    (each) => isSaid(fixedRemark(each)) || isSaid(pullRemark('merged', each)) || isOfMerged(each),
  );
}

/** Of the commit, and of the pull request that it is the merge of, as GitHub titles such a commit. */
export function addressesOf(
  { webHost, owner, repo }: Route,
  { url, title }: Pick<ToldCommit, 'url' | 'title'>,
): readonly string[] {
  const [, merged, squashed = merged] = /^Merge pull request #(\d+) |\(#(\d+)\)$/u.exec(title) ?? [];
  return squashed === undefined ? [url] : [url, `https://${webHost}/${owner}/${repo}/pull/${squashed}`];
}
