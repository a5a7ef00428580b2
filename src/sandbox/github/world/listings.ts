import { listedComments } from './comments.ts';
import type { CommentRecord, IssueRecord, Repo } from './records.ts';
import { type GithubState, listedNow } from './state.ts';
import { issueReader } from './versions.ts';

/**
 * Issues and pull requests that lists show by now, ordered by number; only pull requests where issues are switched off.
 */
export function listedIssues(state: GithubState, repo: Repo): readonly IssueRecord[] {
  const [listed, asShown] = [listedNow<IssueRecord>(state), issueReader(state, 'list')];
  return [...repo.issues.values()]
    .filter((issue) => issue.fate.kind === 'there' && (repo.hasIssues || issue.isPull) && listed(issue))
    .flatMap((issue) => asShown(issue) ?? [])
    .sort((left, right) => left.number - right.number);
}

/** The repository's comments, including those on pull requests, ordered by id. */
export function listedRepoComments(
  state: GithubState,
  repo: Repo,
  sinceAt: number | null,
): readonly { readonly issue: IssueRecord; readonly comment: CommentRecord }[] {
  const issues = [...repo.issues.values()].filter((issue) => issue.fate.kind === 'there');
  return listedComments(state, issues, sinceAt);
}
