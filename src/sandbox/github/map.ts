import { issueNumber } from '../../model/ids.ts';
import type { CloseReason, Comment, Issue, Person } from '../../model/item.ts';
import type { Gone } from '../../model/outcome.ts';
import { blockersOf } from './world/dependencies.ts';
import { type CommentRecord, fullName, type IssueRecord, type Repo, type User } from './world/records.ts';
import { type GithubState, pageUrl } from './world/state.ts';

/** The model's noun for a stored issue; pull requests have none and must not get here. */
export function asIssue(state: GithubState, repo: Repo, issue: IssueRecord): Issue {
  if (issue.isPull) throw new Error(`${fullName(repo)}#${issue.number} is a pull request, which is never mirrored.`);
  return {
    kind: 'issue',
    number: issueNumber(issue.number),
    id: issue.id,
    url: pageUrl(state, repo, issue),
    title: issue.title,
    body: issue.body ?? '',
    state: issue.state,
    reason: issue.state === 'closed' ? closeReason(issue) : null,
    labels: issue.labels.map((label) => label.name),
    assignees: issue.assignees.map(({ login }) => login),
    milestone: issue.milestone?.title ?? null,
    type: issue.type,
    author: asPerson(issue.author),
    commentCount: issue.comments.length,
    isLocked: issue.isLocked,
    ...(state.limits.hasDependencies ? { blockerCount: blockersOf(issue).length } : {}),
    createdAt: issue.createdAt,
    changedAt: issue.updatedAt,
  };
}

export function asComment(state: GithubState, repo: Repo, on: { issue: IssueRecord; comment: CommentRecord }): Comment {
  const { issue, comment } = on;
  return {
    side: 'github',
    id: comment.id,
    ref: issue.number,
    count: null,
    url: `${pageUrl(state, repo, issue)}#issuecomment-${comment.id}`,
    author: asPerson(comment.author),
    text: comment.body,
    isPrivate: false,
    fold: comment.minimized,
    createdAt: comment.createdAt,
    changedAt: comment.updatedAt,
  };
}

/** Only an App's login ends so. */
export function asPerson({ login }: User): Person {
  return { login, name: login, ...(login.endsWith('[bot]') ? { isBot: true } : {}) };
}

/** Why an issue that once had this number, or never did, cannot be reached. */
export function goneOf(repo: Repo, number: number, status: number): Gone {
  const name = `${fullName(repo)}#${number}`;
  const issue = repo.issues.get(number);
  if (status === 410) return { kind: 'deleted', why: `${name} was deleted` };
  if (status === 301 && issue?.fate.kind === 'moved') {
    return { kind: 'moved', why: `${name} was moved to ${fullName(issue.fate.repo)}#${issue.fate.number}` };
  }
  return { kind: 'missing', why: issue?.isPull === true ? `${name} is a pull request` : `${name} does not exist, or may not be seen` };
}

/** Issues closed before there were reasons have none. */
function closeReason(issue: IssueRecord): CloseReason {
  return issue.stateReason === null || issue.stateReason === 'reopened' ? 'completed' : issue.stateReason;
}
