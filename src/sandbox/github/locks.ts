import { forbidden } from './errors.ts';
import { type IssueRecord, mayPush, type Repo, type User } from './records.ts';
import { type GithubState, stamp } from './state.ts';

/** PUT and DELETE .../issues/{n}/lock. As it is already is no failure. Throws 403 without the right to push. */
export function setLock(state: GithubState, user: User, { repo, issue }: { repo: Repo; issue: IssueRecord }, isLocked: boolean): void {
  if (!mayPush(user, repo)) throw forbidden();
  if (issue.isLocked === isLocked) return;
  issue.isLocked = isLocked;
  issue.updatedAt = stamp(state);
}
