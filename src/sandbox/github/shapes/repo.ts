import type { components } from '@octokit/openapi-types';
import { fullName, mayPush, type Repo, type User } from '../world/records.ts';
import type { GithubState } from '../world/state.ts';
import { isoStamp, userShape } from './shapes.ts';

type FullRepository = components['schemas']['full-repository'];

/** GET /repos/{owner}/{repo}; `permissions` are the caller's. */
export function repoShape(state: GithubState, repo: Repo, caller: User): FullRepository {
  const openIssues = [...repo.issues.values()].filter(
    (issue) => issue.fate.kind === 'there' && issue.state === 'open',
  ).length;
  return {
    ...addresses(state, repo),
    id: repo.id,
    node_id: repoNodeId(repo),
    name: repo.name,
    full_name: fullName(repo),
    owner: userShape(state, repo.owner),
    private: repo.isPrivate,
    description: null,
    fork: false,
    homepage: null,
    language: null,
    default_branch: repo.defaultBranch,
    license: null,
    mirror_url: null,
    archived: repo.isArchived,
    disabled: false,
    has_issues: repo.hasIssues,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks: 0,
    forks_count: 0,
    open_issues: openIssues,
    open_issues_count: openIssues,
    size: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    network_count: 0,
    subscribers_count: 0,
    created_at: isoStamp(repo.createdAt),
    updated_at: isoStamp(repo.createdAt),
    pushed_at: isoStamp(repo.createdAt),
    permissions: {
      admin: repo.permissions.get(caller.login) === 'admin',
      maintain: repo.permissions.get(caller.login) === 'admin',
      push: mayPush(caller, repo),
      triage: mayPush(caller, repo),
      pull: true,
    },
  };
}

export const repoNodeId = ({ id }: Repo): string => `R_${Buffer.from(`sandbox:${id}`).toString('base64url')}`;

type Address = Extract<keyof FullRepository, `${string}_url` | 'url'>;

function addresses(
  state: GithubState,
  repo: Repo,
): Pick<FullRepository, Exclude<Address, 'mirror_url' | 'temp_clone_url'>> {
  const url = `${state.url}/repos/${fullName(repo)}`;
  const page = `${state.webUrl ?? state.url}/${fullName(repo)}`;
  return {
    url,
    html_url: page,
    clone_url: `${page}.git`,
    git_url: `${page}.git`,
    ssh_url: `${page}.git`,
    svn_url: page,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}
