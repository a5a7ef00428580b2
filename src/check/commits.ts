import type { Site, Topic } from './site.ts';
import { type Finding, failure } from './verdict.ts';

/** The branch whose commits are reported on bugs. */
export const commits: Topic = { name: 'commits', fine: ({ route }) => read(route), find };

function read({ commits: rule }: Site['route']): string {
  if (rule === undefined) return 'the route reports no commits';
  return `bugs get a comment about commits on ${branchInWords(rule.branch)} that name them: ${rule.patterns.join(', ')}`;
}

function find({
  route: { commits: rule, owner, repo },
  unreadCommits,
}: Pick<Site, 'route' | 'unreadCommits'>): readonly Finding[] {
  if (rule === undefined || unreadCommits === null) return [];
  const advice =
    'name a branch of the repository in commits.branch, and see that it has a commit and that the token may read contents';
  return [
    failure(
      `the commits of ${branchInWords(rule.branch)} of ${owner}/${repo} cannot be read: ${unreadCommits}; ${advice}`,
    ),
  ];
}

const branchInWords = (branch: string | null): string =>
  branch === null ? 'the default branch' : `the branch ${branch}`;
