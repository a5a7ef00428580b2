/** Pushed commits that name bugs and issues, and the reports about them on the bugs. */

import { aboutOf, type CommentLink } from '../../model/link.ts';
import type { Operation } from '../../model/plan/operation.ts';
import type { PlanInput } from '../../model/plan/plan-input.ts';
import type { LinkPull } from '../../model/pulls/pull.ts';
import type { ToldCommit } from '../../model/pulls/push.ts';
import type { Route } from '../../model/route.ts';
import { fixedRemark, pullRemark, pushRemark } from '../../text/marker.ts';

/**
 * Plans the missing reports of commits on a bug, one comment for each push.
 * @param isClosing whether the bug is about to be closed by a comment that names its fix
 */
export function planPushes(
  route: Route,
  {
    link,
    commentLinks,
    pushes = [],
    pulls = [],
  }: Pick<PlanInput, 'pushes' | 'pulls'> & Pick<PlanInput, 'link'> & RemarkLinks,
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

interface RemarkLinks {
  readonly commentLinks: readonly Pick<CommentLink, 'remark'>[];
}

/** Whether a comment of the bug names this commit as its fix, or reports the merge of its pull request. */
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

/** The addresses of the commit and of the pull request that it merges, according to the title that GitHub gives it. */
export function addressesOf(
  { webHost, owner, repo }: Route,
  { url, title }: Pick<ToldCommit, 'url' | 'title'>,
): readonly string[] {
  const [, merged, squashed = merged] = /^Merge pull request #(\d+) |\(#(\d+)\)$/u.exec(title) ?? [];
  return squashed === undefined ? [url] : [url, `https://${webHost}/${owner}/${repo}/pull/${squashed}`];
}
