import type { components } from '@octokit/openapi-types';
import type { Ask } from '../server/ask.ts';
import { fullName, type IssueRecord, type Repo } from '../world/records.ts';
import { pageUrl } from '../world/state.ts';
import { repoShape } from './repo.ts';
import { isoStamp, issueShape, userShape } from './shapes.ts';

type PullRequest = components['schemas']['pull-request'];

/** A pull request that was just opened, as its own routes show it. It changes no files. */
export function pullRequestShape(
  { state, caller }: Ask,
  repo: Repo,
  pull: IssueRecord,
  { head, base }: { readonly head: string; readonly base: string },
): PullRequest {
  const { title, body, node_id, milestone, author_association } = issueShape(state, repo, pull);
  const { temp_clone_token: _none, ...home } = repoShape(state, repo, caller);
  const api = `${state.url}/repos/${fullName(repo)}`;
  const end = (branch: string) => ({
    label: `${repo.owner.login}:${branch}`,
    ref: branch,
    sha: repo.git.branches.get(branch) ?? '',
    repo: { ...home, has_downloads: true, license: null },
    user: userShape(state, repo.owner),
  });
  return {
    ...addressesOf({
      api,
      page: pageUrl(state, repo, pull),
      number: pull.number,
      sha: repo.git.branches.get(head) ?? '',
    }),
    id: pull.id,
    node_id,
    number: pull.number,
    title,
    body: body ?? null,
    state: pull.state,
    locked: pull.isLocked,
    user: userShape(state, pull.author),
    author_association: author_association ?? 'NONE',
    head: end(head),
    base: end(base),
    labels: [],
    milestone,
    assignee: null,
    auto_merge: null,
    created_at: isoStamp(pull.createdAt),
    updated_at: isoStamp(pull.updatedAt),
    closed_at: null,
    merged_at: null,
    merged_by: null,
    merge_commit_sha: null,
    merged: false,
    mergeable: null,
    mergeable_state: 'unknown',
    maintainer_can_modify: false,
    additions: 0,
    deletions: 0,
    changed_files: 0,
    comments: 0,
    commits: 1,
    review_comments: 0,
  };
}

interface Place {
  /** The address of the repository in the API. */
  readonly api: string;
  readonly page: string;
  readonly number: number;
  /** The last commit. */
  readonly sha: string;
}

function addressesOf({ api, page, number, sha }: Place) {
  const [url, issue] = [`${api}/pulls/${number}`, `${api}/issues/${number}`];
  const addresses = {
    url,
    html_url: page,
    issue_url: issue,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    commits_url: `${url}/commits`,
    comments_url: `${issue}/comments`,
    review_comment_url: `${url}/comments{/number}`,
    review_comments_url: `${url}/comments`,
    statuses_url: `${api}/statuses/${sha}`,
  };
  const href = (address: string) => ({ href: address });
  const _links = {
    self: href(url),
    html: href(page),
    issue: href(issue),
    comments: href(addresses.comments_url),
    commits: href(addresses.commits_url),
    statuses: href(addresses.statuses_url),
    review_comment: href(addresses.review_comment_url),
    review_comments: href(addresses.review_comments_url),
  };
  return { ...addresses, _links };
}
