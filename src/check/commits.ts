import type { Site, Topic } from './site.ts';
import { type Finding, failure } from './verdict.ts';

/** The branch whose commits are reported on bugs. */
export const commits: Topic = { name: 'commits', fine: ({ route }) => read(route), find };

function read({ commits: rule }: Site['route']): string {
  if (rule === undefined) return 'bugs are not told of commits';
  return `bugs are told of commits on ${branchInWords(rule.branch)}, as far as they name one: ${rule.patterns.join(', ')}`;
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
