import type { FieldValues } from '../../../model/item.ts';
import { blockersOf } from './dependencies.ts';
import { namedValues } from './issue-fields.ts';
import type { IssueRecord, Repo, StateReason } from './records.ts';
import type { GithubState } from './state.ts';

/** An issue for oracles: as stored, without permissions and without lag. */
export interface IssueView {
  readonly number: number;
  readonly id: number;
  readonly isPull: boolean;
  readonly isMerged: boolean;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  readonly stateReason: StateReason | null;
  readonly isLocked: boolean;
  readonly duplicateOfId: number | null;
  /** Numbers of the issues of this repository that block it. */
  readonly blockedBy: readonly number[];
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly milestone: string | null;
  readonly type: string | null;
  /** Values of the organisation's fields by name; none if there are no fields. */
  readonly fields: FieldValues;
  readonly author: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface CommentView {
  readonly id: number;
  readonly body: string;
  /** Why it is minimised; null if it is not. */
  readonly minimized: string | null;
  readonly author: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function issuesThere(repo: Repo): readonly IssueRecord[] {
  return [...repo.issues.values()]
    .filter((issue) => issue.fate.kind === 'there')
    .sort((left, right) => left.number - right.number);
}

export function issueView({ organisations }: GithubState, { owner }: Repo, issue: IssueRecord): IssueView {
  const { number, id, isPull, isLocked, title, state, stateReason, duplicateOfId, createdAt, updatedAt } = issue;
  const labels = issue.labels.map((label) => label.name);
  const assignees = issue.assignees.map(({ login }) => login);
  const blockedBy = blockersOf(issue).map((blocker) => blocker.number);
  const shown = {
    labels,
    assignees,
    blockedBy,
    isMerged: issue.merge !== null,
    milestone: issue.milestone?.title ?? null,
    type: issue.type,
    fields: namedValues(organisations.get(owner.login.toLowerCase())?.fields ?? [], issue),
    author: issue.author.login,
    body: issue.body ?? '',
  };
  return { number, id, isPull, isLocked, title, state, stateReason, duplicateOfId, createdAt, updatedAt, ...shown };
}

export function commentViews(issue: IssueRecord | undefined): readonly CommentView[] {
  if (issue?.fate.kind !== 'there') return [];
  return issue.comments.map(({ id, body, minimized, author, createdAt, updatedAt }) => ({
    ...{ id, body, minimized, author: author.login, createdAt, updatedAt },
  }));
}
