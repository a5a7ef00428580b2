/**
 * Stored records as the REST API shows them, typed and validated by GitHub's own OpenAPI description. They are those of
 * the API version 2022-11-28; the server drops what 2026-03-10 lacks. Fields that the bridge never reads have the value
 * of an account or repository that does not use them.
 */

import type { components } from '@octokit/openapi-types';
import { blockersOf } from '../world/dependencies.ts';
import {
  type CommentRecord,
  fullName,
  type IssueEvent,
  type IssueRecord,
  type Label,
  type Milestone,
  mayPush,
  type Repo,
  type TypeEvent,
  type User,
} from '../world/records.ts';
import { type GithubState, pageUrl } from '../world/state.ts';

type Schemas = components['schemas'];

export const isoStamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Opaque to clients; differs by kind, like real ones. */
export const nodeId = (kind: string, id: number): string =>
  `${kind}_${Buffer.from(`sandbox:${id}`).toString('base64url')}`;

/** GraphQL's id of an issue. */
export const issueNodeId = (issue: IssueRecord): string => nodeId(issue.isPull ? 'PR' : 'I', issue.id);

export const commentNodeId = ({ id }: CommentRecord): string => nodeId('IC', id);

/** The database id in such an id; NaN for other texts. */
export const idInNode = (node: string): number =>
  Number(/^sandbox:(\d+)$/u.exec(Buffer.from(node.replace(/^[A-Z]+_/u, ''), 'base64url').toString())?.[1]);

export function userShape(state: GithubState, user: User): Schemas['simple-user'] {
  const login = encodeURIComponent(user.login);
  const url = `${state.url}/users/${login}`;
  return {
    login: user.login,
    id: user.id,
    node_id: nodeId('U', user.id),
    avatar_url: `${state.url}/avatars/${user.id}`,
    gravatar_id: '',
    url,
    html_url: `${state.url}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: user.login.endsWith('[bot]') ? 'Bot' : 'User',
    site_admin: false,
  };
}

/** GET /user. */
export function accountShape(state: GithubState, user: User): Schemas['public-user'] {
  return {
    ...userShape(state, user),
    name: user.name,
    company: null,
    blog: null,
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: isoStamp(user.createdAt),
    updated_at: isoStamp(user.createdAt),
    user_view_type: 'public',
  };
}

export function labelShape(state: GithubState, repo: Repo, label: Label): Schemas['label'] {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${state.url}/repos/${fullName(repo)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    description: label.description,
    default: false,
  };
}

export function milestoneShape(state: GithubState, repo: Repo, milestone: Milestone): Schemas['milestone'] {
  const url = `${state.url}/repos/${fullName(repo)}/milestones/${milestone.number}`;
  const on = [...repo.issues.values()].filter((issue) => issue.fate.kind === 'there' && issue.milestone === milestone);
  const open = on.filter((issue) => issue.state === 'open').length;
  return {
    url,
    html_url: `${state.webUrl ?? state.url}/${fullName(repo)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: nodeId('MI', milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: null,
    creator: userShape(state, milestone.creator),
    open_issues: open,
    closed_issues: on.length - open,
    state: 'open',
    created_at: isoStamp(milestone.createdAt),
    updated_at: isoStamp(milestone.createdAt),
    due_on: null,
    closed_at: null,
  };
}

export function issueShape(state: GithubState, repo: Repo, issue: IssueRecord): Schemas['issue'] {
  const api = `${state.url}/repos/${fullName(repo)}`;
  const url = `${api}/issues/${issue.number}`;
  const [assignee] = issue.assignees;
  return {
    url,
    repository_url: api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: pageUrl(state, repo, issue),
    id: issue.id,
    node_id: issueNodeId(issue),
    number: issue.number,
    title: issue.title,
    user: userShape(state, issue.author),
    labels: issue.labels.map((label) => labelShape(state, repo, label)),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.isLocked,
    active_lock_reason: null,
    assignee: assignee === undefined ? null : userShape(state, assignee),
    assignees: issue.assignees.map((user) => userShape(state, user)),
    milestone: issue.milestone === null ? null : milestoneShape(state, repo, issue.milestone),
    comments: issue.comments.length,
    created_at: isoStamp(issue.createdAt),
    updated_at: isoStamp(issue.updatedAt),
    closed_at: issue.closedAt === null ? null : isoStamp(issue.closedAt),
    closed_by: issue.closedBy === null ? null : userShape(state, issue.closedBy),
    author_association: association(repo, issue.author),
    body: issue.body,
    reactions: reactions(`${url}/reactions`, issue.thumbsUp.length),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    type: issue.type === null ? null : typeShape(repo, issue.type),
    ...(state.limits.hasDependencies ? { issue_dependencies_summary: dependenciesSummary(issue) } : {}),
    ...(issue.isPull ? { draft: false, pull_request: pullShape(state, repo, issue) } : {}),
  };
}

export function typeShape(repo: Repo, name: string): NonNullable<Schemas['issue-type']> {
  const id = repo.types.indexOf(name) + 1;
  return { id, node_id: nodeId('IT', id), name, description: null, is_enabled: true };
}

/**
 * An event of an issue. A closing names its commit, never its pull request. The names of events of fields were
 * observed, not documented.
 */
export function eventShape(state: GithubState, repo: Repo, event: IssueEvent) {
  const { id, action, actor, at } = event;
  const closer = 'closer' in event && event.closer?.kind === 'commit' ? event.closer : null;
  const shape = {
    id,
    node_id: nodeId('LE', id),
    url: `${state.url}/repos/${fullName(repo)}/issues/events/${id}`,
    actor: userShape(state, actor),
    event: 'field' in event ? `issue_field_${action}` : action,
    commit_id: closer?.sha ?? null,
    commit_url: closer === null ? null : `${state.url}/repos/${fullName(closer.repo)}/commits/${closer.sha}`,
    created_at: isoStamp(at),
    performed_via_github_app: null,
  } as const;
  if ('field' in event) return { ...shape, issue_field: { name: event.field } };
  if ('label' in event)
    return {
      ...shape,
      label: { name: event.label.name, color: event.label.color },
    } satisfies Schemas['labeled-issue-event'];
  if (event.action === 'typed') return typeEventShape(repo, shape, event);
  const { rename, assignee, milestone } = event;
  const person = assignee === undefined ? {} : { assignee: userShape(state, assignee), assigner: shape.actor };
  return { ...shape, ...(rename && { rename }), ...person, ...(milestone && { milestone }) };
}

type Added = Schemas['issue-type-added-issue-event'];
type Removed = Schemas['issue-type-removed-issue-event'];

function typeEventShape(repo: Repo, shape: Omit<Added, 'issue_type'>, { type, was }: TypeEvent): Added | Removed {
  const named = (name: string) => ({ id: typeShape(repo, name).id, name, color: null });
  const before = was === null ? {} : { prev_issue_type: named(was) };
  if (type !== null)
    return {
      ...shape,
      event: was === null ? 'issue_type_added' : 'issue_type_changed',
      issue_type: named(type),
      ...before,
    };
  return { ...shape, event: 'issue_type_removed', prev_issue_type: was === null ? null : named(was) };
}

export function commentShape(
  state: GithubState,
  repo: Repo,
  on: { issue: IssueRecord; comment: CommentRecord },
): Schemas['issue-comment'] {
  const { issue, comment } = on;
  const api = `${state.url}/repos/${fullName(repo)}`;
  const url = `${api}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${pageUrl(state, repo, issue)}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${issue.number}`,
    id: comment.id,
    node_id: commentNodeId(comment),
    user: userShape(state, comment.author),
    created_at: isoStamp(comment.createdAt),
    updated_at: isoStamp(comment.updatedAt),
    author_association: association(repo, comment.author),
    body: comment.body,
    reactions: reactions(`${url}/reactions`),
    performed_via_github_app: null,
    minimized: comment.minimized === null ? null : { reason: comment.minimized },
  };
}

function pullShape(state: GithubState, repo: Repo, issue: IssueRecord): NonNullable<Schemas['issue']['pull_request']> {
  const page = pageUrl(state, repo, issue);
  const url = `${state.url}/repos/${fullName(repo)}/pulls/${issue.number}`;
  return {
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    merged_at: issue.merge === null ? null : isoStamp(issue.merge.at),
  };
}

function dependenciesSummary(issue: IssueRecord): Schemas['issue-dependencies-summary'] {
  const blockers = blockersOf(issue);
  const blocked = [...issue.blocks].filter(({ fate }) => fate.kind === 'there');
  const open = (list: readonly IssueRecord[]): number => list.filter((each) => each.state === 'open').length;
  return {
    blocked_by: open(blockers),
    total_blocked_by: blockers.length,
    blocking: open(blocked),
    total_blocking: blocked.length,
  };
}

function reactions(url: string, thumbsUp = 0): Schemas['reaction-rollup'] {
  return {
    url,
    total_count: thumbsUp,
    '+1': thumbsUp,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  };
}

function association(repo: Repo, user: User): Schemas['author-association'] {
  if (user === repo.owner) return 'OWNER';
  return mayPush(user, repo) ? 'COLLABORATOR' : 'NONE';
}
