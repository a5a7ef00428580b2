import { forbidden, invalid, notFound } from '../server/errors.ts';
import { type IssueRecord, mayPush, type Repo, type User } from './records.ts';
import { type GithubState, stamp } from './state.ts';

/** The maximum number of issues that block one issue. */
const blockersMax = 50;

/** The blockers that still exist: a deleted issue loses its relations. */
export const blockersOf = (issue: IssueRecord): readonly IssueRecord[] =>
  issue.blockedBy.filter(({ fate }) => fate.kind === 'there');

/**
 * POST .../issues/{n}/dependencies/blocked_by. `issueId` is the database id. Makes the blocked issue newer, not the
 * blocker. Throws 422 for an issue that is unknown, already blocks, or is itself blocked by this one.
 */
export function addBlocker(
  state: GithubState,
  user: User,
  { repo, issue }: { repo: Repo; issue: IssueRecord },
  issueId: number,
): void {
  checkAccess(state, user, repo);
  const blocker = [...state.repos.values()]
    .flatMap(({ issues }) => [...issues.values()])
    .find(({ id }) => id === issueId);
  const flaw = (message: string) =>
    invalid({ resource: 'IssueDependency', code: 'custom', field: 'issue_id', message });
  if (blocker?.fate.kind !== 'there') throw flaw('The issue could not be found');
  if (issue.blockedBy.includes(blocker)) throw flaw('The issue is already a dependency');
  if (blocker === issue || waitsFor(blocker, issue))
    throw flaw('An issue cannot depend on itself, not even over others');
  if (blockersOf(issue).length >= blockersMax) throw flaw(`An issue is blocked by at most ${blockersMax} others`);
  issue.blockedBy = [...blockersOf(issue), blocker];
  blocker.blocks.add(issue);
  issue.updatedAt = stamp(state);
}

/** DELETE .../issues/{n}/dependencies/blocked_by/{issue_id}. Throws 404 if it does not block. */
export function removeBlocker(
  state: GithubState,
  user: User,
  { repo, issue }: { repo: Repo; issue: IssueRecord },
  issueId: number,
): void {
  checkAccess(state, user, repo);
  const blocker = blockersOf(issue).find(({ id }) => id === issueId);
  if (blocker === undefined) throw notFound();
  issue.blockedBy = issue.blockedBy.filter((each) => each !== blocker);
  blocker.blocks.delete(issue);
  issue.updatedAt = stamp(state);
}

function checkAccess({ limits }: GithubState, user: User, repo: Repo): void {
  if (!limits.hasDependencies) throw notFound();
  if (!mayPush(user, repo)) throw forbidden();
}

function waitsFor(issue: IssueRecord, other: IssueRecord, seen: ReadonlySet<IssueRecord> = new Set()): boolean {
  if (issue.blockedBy.includes(other)) return true;
  return issue.blockedBy.some((each) => !seen.has(each) && waitsFor(each, other, new Set([...seen, issue])));
}
