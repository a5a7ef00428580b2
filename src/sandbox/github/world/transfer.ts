import { forbidden } from '../server/errors.ts';
import { nextNumber } from './issues.ts';
import { labelsNamed } from './labels.ts';
import { fullName, type IssueRecord, mayPush, type Repo, type User } from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

/** On the website and by GraphQL: REST has no way to delete an issue. From now on it answers 410. */
export function deleteIssue(user: User, repo: Repo, issue: IssueRecord): void {
  if (repo.permissions.get(user.login) !== 'admin') throw forbidden();
  issue.fate = { kind: 'deleted' };
}

/**
 * On the website and by GraphQL. The issue gets a new number and id in a repository of the same owner, and keeps its
 * texts, dates and comments; labels and the milestone move by name. The old number answers 301.
 */
export function transferIssue(
  state: GithubState,
  user: User,
  at: { repo: Repo; issue: IssueRecord },
  target: Repo,
): IssueRecord {
  if (!mayPush(user, at.repo) || !mayPush(user, target)) throw forbidden();
  if (target.owner !== at.repo.owner)
    throw new Error(`GitHub transfers issues only within one owner, not to ${fullName(target)}.`);
  const arrived: IssueRecord = {
    ...at.issue,
    id: freshId(state),
    number: nextNumber(target),
    labels: labelsNamed(
      state,
      target,
      at.issue.labels.map((label) => label.name),
    ),
    milestone: target.milestones.find(({ title }) => title === at.issue.milestone?.title) ?? null,
    updatedAt: stamp(state),
    madeAt: state.now(),
  };
  target.issues.set(arrived.number, arrived);
  at.issue.fate = { kind: 'moved', repo: target, number: arrived.number };
  return arrived;
}
