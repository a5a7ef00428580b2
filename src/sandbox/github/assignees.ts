import { invalid } from './errors.ts';
import type { IssueRecord, Repo, User } from './records.ts';
import { type GithubState, stamp } from './state.ts';

const most = 10;

/** The users of these logins. Throws 422 for a login that nobody has; who has no part in the repository is silently dropped. */
export function assigneesNamed(state: GithubState, repo: Repo, logins: readonly string[]): readonly User[] {
  const users = logins.map((login) => {
    const user = [...state.users.values()].find((known) => known.login.toLowerCase() === login.toLowerCase());
    if (user === undefined) throw invalid({ resource: 'Issue', code: 'invalid', field: 'assignees', value: login });
    return user;
  });
  return [...new Set(users)].filter(({ login }) => repo.permissions.has(login)).slice(0, most);
}

/** The same people again make nothing newer. */
export function setAssignees(state: GithubState, issue: IssueRecord, users: readonly User[]): void {
  const isSame = users.length === issue.assignees.length && users.every((user) => issue.assignees.includes(user));
  if (isSame) return;
  issue.assignees = users;
  issue.updatedAt = stamp(state);
}
