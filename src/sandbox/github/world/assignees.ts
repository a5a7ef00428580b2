import { forbidden, invalid, notFound } from '../server/errors.ts';
import { type IssueRecord, type Milestone, mayPush, type Repo, type User } from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

const most = 10;

/**
 * The users of these logins. Throws 422 for an unknown login; users without access to the repository are silently
 * dropped.
 */
export function assigneesNamed(state: GithubState, repo: Repo, logins: readonly string[]): readonly User[] {
  const users = logins.map((login) => {
    const user = [...state.users.values()].find((known) => known.login.toLowerCase() === login.toLowerCase());
    if (user === undefined) throw invalid({ resource: 'Issue', code: 'invalid', field: 'assignees', value: login });
    return user;
  });
  return [...new Set(users)].filter(({ login }) => repo.permissions.has(login)).slice(0, most);
}

/** An unchanged list does not make the issue newer. */
export function setAssignees(state: GithubState, actor: User, issue: IssueRecord, users: readonly User[]): void {
  const isSame = users.length === issue.assignees.length && users.every((user) => issue.assignees.includes(user));
  if (isSame) return;
  const at = stamp(state);
  const events = (action: 'assigned' | 'unassigned', of: readonly User[], others: readonly User[]) =>
    of
      .filter((user) => !others.includes(user))
      .map((assignee) => ({ id: freshId(state), action, assignee, actor, at }));
  issue.events.push(...events('unassigned', issue.assignees, users), ...events('assigned', users, issue.assignees));
  [issue.assignees, issue.updatedAt] = [users, at];
}

/** POST /repos/{owner}/{repo}/milestones. Throws 422 if the title is missing or taken. */
export function createMilestone(state: GithubState, user: User, repo: Repo, title: string): Milestone {
  if (!mayPush(user, repo)) throw forbidden();
  if (title.trim() === '') throw invalid({ resource: 'Milestone', code: 'missing_field', field: 'title' });
  if (repo.milestones.some((known) => known.title === title.trim()))
    throw invalid({ resource: 'Milestone', code: 'already_exists', field: 'title' });
  const number = (repo.milestones.at(-1)?.number ?? 0) + 1;
  const milestone = {
    id: freshId(state),
    number,
    title: title.trim(),
    creator: user,
    createdAt: stamp(state),
    madeAt: state.now(),
  };
  repo.milestones.push(milestone);
  return milestone;
}

/** PATCH /repos/{owner}/{repo}/milestones/{number}. As far as is known, its issues do not become newer. */
export function renameMilestone(user: User, repo: Repo, number: number, title: string): Milestone {
  const milestone = changeable(user, repo, number);
  if (repo.milestones.some((known) => known !== milestone && known.title === title.trim()))
    throw invalid({ resource: 'Milestone', code: 'already_exists', field: 'title' });
  const renamed = { ...milestone, title: title.trim() };
  repo.milestones.splice(repo.milestones.indexOf(milestone), 1, renamed);
  for (const issue of repo.issues.values()) if (issue.milestone === milestone) issue.milestone = renamed;
  return renamed;
}

/** DELETE /repos/{owner}/{repo}/milestones/{number} */
export function deleteMilestone(user: User, repo: Repo, number: number): void {
  const milestone = changeable(user, repo, number);
  repo.milestones.splice(repo.milestones.indexOf(milestone), 1);
  for (const issue of repo.issues.values()) if (issue.milestone === milestone) issue.milestone = null;
}

function changeable(user: User, repo: Repo, number: number): Milestone {
  const milestone = repo.milestones.find((each) => each.number === number);
  if (milestone === undefined) throw notFound();
  if (!mayPush(user, repo)) throw forbidden();
  return milestone;
}

/** The milestone of a number. Throws 422 if there is none. */
export function milestoneNumbered(repo: Repo, number: number): Milestone {
  const found = repo.milestones.find((milestone) => milestone.number === number);
  if (found === undefined)
    throw invalid({ resource: 'Issue', code: 'invalid', field: 'milestone', value: String(number) });
  return found;
}

/** The same milestone does not make the issue newer. */
export function setMilestone(state: GithubState, actor: User, issue: IssueRecord, milestone: Milestone | null): void {
  if (issue.milestone === milestone) return;
  const at = stamp(state);
  const event = (action: 'milestoned' | 'demilestoned', { title }: Milestone) =>
    issue.events.push({ id: freshId(state), action, milestone: { title }, actor, at });
  if (issue.milestone !== null) event('demilestoned', issue.milestone);
  if (milestone !== null) event('milestoned', milestone);
  [issue.milestone, issue.updatedAt] = [milestone, at];
}
