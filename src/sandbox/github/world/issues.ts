import { deleted, forbidden, invalid, issuesOff, moved, notFound, Refusal } from '../server/errors.ts';
import { spread } from '../server/lag.ts';
import { assigneesNamed, milestoneNumbered, setAssignees, setMilestone } from './assignees.ts';
import type { Closer } from './git/closer.ts';
import { type FieldWish, fieldsChosen, setFieldValues } from './issue-fields.ts';
import { labelsNamed, setLabels } from './labels.ts';
import { type IssueRecord, mayPush, mayRead, type Repo, type StateReason, type User } from './records.ts';
import { freshId, type GithubState, readableRepo, stamp } from './state.ts';
import { edited } from './text/edits.ts';

export interface IssueRequest {
  readonly title: string;
  readonly body?: string | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  /** A milestone's number. */
  readonly milestone?: number | null;
  /** A name. */
  readonly type?: string | null;
  readonly fields?: readonly FieldWish[];
  readonly isPull?: boolean;
}

/** The body of a PATCH; absent means unchanged. */
export interface IssueChange {
  readonly title?: string;
  readonly body?: string | null;
  readonly state?: 'open' | 'closed';
  readonly stateReason?: StateReason | null;
  readonly duplicateIssueId?: number;
  /** What closes it, if no person does. */
  readonly closer?: Closer;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  readonly milestone?: number | null;
  readonly type?: string | null;
  /** All values that the issue shall have; others are removed. */
  readonly fields?: readonly FieldWish[];
}

const titleMax = 256;
const bodyMax = 65_536;

/** Counted in code points, so that the limit on stored bytes (four for each) is never the stricter one. */
export const isTooLong = (body: string): boolean => [...body].length > bodyMax;

/**
 * GET .../issues/{n}. Throws 404, 410 for a deleted issue or where issues are switched off, and 301 for a moved one if
 * the user may read its new place.
 */
export function findIssue(state: GithubState, user: User, repo: Repo, number: number): IssueRecord {
  const issue = readableRepo(user, repo).issues.get(number);
  if (!repo.hasIssues && issue?.isPull !== true) throw issuesOff();
  if (issue === undefined) throw notFound();
  switch (issue.fate.kind) {
    case 'there':
      return issue;
    case 'deleted':
      throw deleted();
    case 'hidden':
      throw notFound();
    case 'moved':
      if (!mayRead(user, issue.fate.repo)) throw notFound();
      throw moved(`${state.url}/repositories/${issue.fate.repo.id}/issues/${issue.fate.number}`);
  }
}

/**
 * POST .../issues. Throws 410 where issues are switched off. Labels, assignees, milestone, type and fields given by
 * users without push are silently dropped.
 */
export function createIssue(state: GithubState, user: User, repo: Repo, request: IssueRequest): IssueRecord {
  if (!readableRepo(user, repo).hasIssues && request.isPull !== true) throw issuesOff();
  if (repo.restrictsIssues && !mayPush(user, repo) && request.isPull !== true)
    throw new Refusal(403, { message: 'Issue creation is restricted in this repository' });
  checkText(request);
  checkHouseRule(state, request);
  const labels = mayPush(user, repo) ? labelsNamed(state, repo, request.labels ?? []) : [];
  const { assignees, milestone } = chosen(state, user, repo, request);
  const type = typeChosen(user, repo, request) ?? null;
  const fieldValues = fieldsChosen(state, user, repo, request.fields) ?? new Map();
  const createdAt = stamp(state);
  const issue: IssueRecord = {
    id: freshId(state),
    number: nextNumber(repo),
    isPull: request.isPull ?? false,
    merge: null,
    author: user,
    title: request.title.trim(),
    body: request.body ?? null,
    state: 'open',
    stateReason: null,
    duplicateOfId: null,
    blockedBy: [],
    blocks: new Set(),
    labels,
    events: labels.map((label) => ({ id: freshId(state), action: 'labeled', label, actor: user, at: createdAt })),
    assignees: assignees ?? [],
    milestone: milestone ?? null,
    type,
    fieldValues,
    comments: [],
    createdAt,
    updatedAt: createdAt,
    closedAt: null,
    closedBy: null,
    lastEdit: null,
    isLocked: false,
    thumbsUp: [],
    madeAt: state.now(),
    fate: { kind: 'there' },
  };
  repo.issues.set(issue.number, issue);
  spread(state, issue);
  return issue;
}

export function nextNumber(repo: Repo): number {
  repo.lastNumber += 1;
  return repo.lastNumber;
}

/** PATCH .../issues/{n}. All checks come before any change; without a change, the issue does not become newer. */
export function editIssue(
  state: GithubState,
  user: User,
  at: { repo: Repo; issue: IssueRecord },
  change: IssueChange,
): void {
  const { repo, issue } = at;
  if (issue.author !== user && !mayPush(user, repo)) throw forbidden();
  checkText(change);
  checkHouseRule(state, change);
  checkDuplicate(state, change);
  const { assignees, milestone } = chosen(state, user, repo, change);
  const fields = fieldsChosen(state, user, repo, change.fields);
  const type = typeChosen(user, repo, change);
  const labels =
    change.labels !== undefined && mayPush(user, repo) ? labelsNamed(state, repo, change.labels) : undefined;
  if (assignees !== undefined) setAssignees(state, user, issue, assignees);
  if (milestone !== undefined) setMilestone(state, user, issue, milestone);
  if (type !== undefined) setType(state, user, issue, type);
  if (fields !== undefined) setFieldValues(state, user, at, fields);
  if (labels !== undefined) setLabels(state, user, issue, labels);
  const title = change.title?.trim() ?? issue.title;
  const body = change.body === undefined ? issue.body : change.body;
  if (title !== issue.title || body !== issue.body) issue.updatedAt = stamp(state);
  if (title !== issue.title) {
    const rename = { from: issue.title, to: title };
    issue.events.push({ id: freshId(state), action: 'renamed', rename, actor: user, at: issue.updatedAt });
  }
  if (body !== issue.body)
    issue.lastEdit = edited(
      issue.lastEdit,
      { by: issue.author, text: issue.body ?? '' },
      { by: user, text: body ?? '' },
      issue.updatedAt,
    );
  [issue.title, issue.body] = [title, body];
  if (change.state !== undefined && change.state !== issue.state) turn(state, user, issue, change);
}

type Choice = Pick<IssueChange, 'assignees' | 'milestone'>;

/** Undefined if nothing was chosen, or the user may not choose. */
function chosen(state: GithubState, user: User, repo: Repo, { assignees, milestone }: Choice) {
  const users = assignees === undefined ? undefined : assigneesNamed(state, repo, assignees);
  const found = milestone === undefined || milestone === null ? milestone : milestoneNumbered(repo, milestone);
  return mayPush(user, repo) ? { assignees: users, milestone: found } : {};
}

/** A type is silently dropped if the repository has none or the user may not push. Throws 422 for an unknown type. */
function typeChosen(user: User, repo: Repo, { type }: Pick<IssueChange, 'type'>): string | null | undefined {
  if (type === undefined || repo.types.length === 0) return undefined;
  const known = type === null ? null : repo.types.find((each) => each.toLowerCase() === type.toLowerCase());
  if (known === undefined) throw invalid({ resource: 'Issue', code: 'invalid', field: 'type', value: type ?? '' });
  return mayPush(user, repo) ? known : undefined;
}

function setType(state: GithubState, user: User, issue: IssueRecord, type: string | null): void {
  if (type === issue.type) return;
  const at = stamp(state);
  issue.events.push({ id: freshId(state), action: 'typed', type, was: issue.type, actor: user, at });
  [issue.type, issue.updatedAt] = [type, at];
}

/** `state_reason` counts only here, where the state changes: on a closed issue it is ignored. */
function turn(state: GithubState, user: User, issue: IssueRecord, change: IssueChange): void {
  issue.updatedAt = stamp(state);
  const action = change.state === 'open' ? 'reopened' : 'closed';
  issue.events.push({ id: freshId(state), action, closer: change.closer ?? null, actor: user, at: issue.updatedAt });
  if (change.state === 'open') {
    Object.assign(issue, {
      state: 'open',
      stateReason: 'reopened',
      duplicateOfId: null,
      closedAt: null,
      closedBy: null,
    });
    return;
  }
  const asked = change.stateReason === 'reopened' ? undefined : change.stateReason;
  issue.state = 'closed';
  issue.stateReason = asked ?? 'completed';
  issue.duplicateOfId = issue.stateReason === 'duplicate' ? (change.duplicateIssueId ?? null) : null;
  issue.closedAt = issue.updatedAt;
  issue.closedBy = user;
}

function checkText(text: { readonly title?: string; readonly body?: string | null }): void {
  if (text.title !== undefined && text.title.trim() === '')
    throw invalid({ resource: 'Issue', code: 'missing_field', field: 'title' });
  if (text.title !== undefined && [...text.title.trim()].length > titleMax) {
    throw invalid({
      resource: 'Issue',
      code: 'custom',
      field: 'title',
      message: `title is too long (maximum is ${titleMax} characters)`,
    });
  }
  if (isTooLong(text.body ?? '')) {
    throw invalid({
      resource: 'Issue',
      code: 'custom',
      field: 'body',
      message: `body is too long (maximum is ${bodyMax} characters)`,
    });
  }
}

function checkHouseRule(
  { limits }: GithubState,
  wish: Pick<IssueChange, 'labels' | 'assignees' | 'milestone' | 'type'>,
): void {
  const given = limits.refusesUnnamed === null ? null : (wish[limits.refusesUnnamed] ?? null);
  if (given === null || (Array.isArray(given) && given.length === 0)) return;
  throw invalid({ resource: 'Issue', code: 'custom', field: 'base', message: 'Something of this is not allowed here' });
}

function checkDuplicate(state: GithubState, change: IssueChange): void {
  if (change.duplicateIssueId === undefined) return;
  const isKnown = [...state.repos.values()].some((repo) =>
    [...repo.issues.values()].some((issue) => issue.id === change.duplicateIssueId),
  );
  if (!isKnown) throw invalid({ resource: 'Issue', code: 'invalid', field: 'duplicate_issue_id' });
}

export function thumbUp(user: User, issue: IssueRecord): void {
  const others = issue.thumbsUp.filter((each) => each !== user);
  issue.thumbsUp = others.length < issue.thumbsUp.length ? others : [...others, user];
}
