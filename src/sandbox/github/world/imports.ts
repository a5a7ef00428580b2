import { forbidden, invalid, notFound } from '../server/errors.ts';
import { isTooLong, nextNumber } from './issues.ts';
import { isLabelName, labelsNamed } from './labels.ts';
import type { CommentRecord, ImportFlaw, ImportRecord, ImportRequest, IssueRecord, Repo, User } from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

/** POST .../import/issues. For administrators only; servers without the import API answer 404. */
export function beginImport(state: GithubState, user: User, repo: Repo, request: ImportRequest): ImportRecord {
  checkImports(state, user, repo);
  if (request.title.trim() === '') throw invalid({ resource: 'Issue', code: 'missing_field', field: 'title' });
  const delays = state.limits.importDelaysMs;
  const doneAt = state.now() + (delays[repo.imports.length % delays.length] ?? 0);
  const createdAt = stamp(state);
  const rest = { status: 'pending', issue: null, errors: [], updatedAt: createdAt } as const;
  const record: ImportRecord = { id: freshId(state), user, request, createdAt, doneAt, ...rest };
  repo.imports.push(record);
  repo.pendingImports.push(record);
  return record;
}

/** The imports of a repository, for its administrators. */
export function importsOf(state: GithubState, user: User, repo: Repo): readonly ImportRecord[] {
  checkImports(state, user, repo);
  return repo.imports;
}

/** Runs the imports that are due in all repositories, ordered by their end and not by their request. */
export function runImports(state: GithubState): void {
  for (const repo of state.repos.values()) {
    if (repo.pendingImports.length === 0) continue;
    const due = repo.pendingImports
      .filter(({ doneAt }) => doneAt <= state.now())
      .sort((one, other) => one.doneAt - other.doneAt);
    if (due.length === 0) continue;
    for (const record of due) finish(state, repo, record);
    repo.pendingImports.splice(
      0,
      repo.pendingImports.length,
      ...repo.pendingImports.filter(({ status }) => status === 'pending'),
    );
  }
}

function checkImports(state: GithubState, user: User, repo: Repo): void {
  if (!state.limits.hasImports) throw notFound();
  if (repo.permissions.get(user.login) !== 'admin') throw forbidden();
}

/** All or nothing. A failed import uses no number. */
function finish(state: GithubState, repo: Repo, record: ImportRecord): void {
  record.updatedAt = stamp(state);
  record.errors = flawsOf(state, repo, record.request);
  if (record.errors.length > 0) {
    record.status = 'failed';
    return;
  }
  const issue = issueFrom(state, repo, record);
  repo.issues.set(issue.number, issue);
  record.status = 'imported';
  record.issue = issue.number;
}

function flawsOf(state: GithubState, repo: Repo, request: ImportRequest): readonly ImportFlaw[] {
  const { refusedImports } = state.limits;
  const flaw = (field: string, value: string | null = null, resource = 'Issue'): ImportFlaw => ({
    location: resource === 'Issue' ? `/issue/${field}` : `/${resource.toLowerCase()}`,
    resource,
    field,
    value,
    code: value === null ? 'custom' : 'invalid',
  });
  const assignee = [...state.users.values()].find(
    ({ login }) => login.toLowerCase() === request.assignee?.toLowerCase(),
  );
  const isAnonymous = request.assignee !== null && (assignee === undefined || !repo.permissions.has(assignee.login));
  return [
    ...([...request.title.trim()].length > 256 || (refusedImports !== null && request.title.startsWith(refusedImports))
      ? [flaw('title')]
      : []),
    ...(isTooLong(request.body) ? [flaw('body')] : []),
    ...(isAnonymous ? [flaw('assignee', request.assignee)] : []),
    ...(request.milestone !== null && !repo.milestones.some(({ number }) => number === request.milestone)
      ? [flaw('milestone', String(request.milestone))]
      : []),
    ...request.labels.filter((name) => !isLabelName(name)).map((name) => flaw('label', name)),
    ...request.comments
      .filter(({ body }) => body.trim() === '' || isTooLong(body))
      .map(() => flaw('body', null, 'Comment')),
  ];
}

function issueFrom(state: GithubState, repo: Repo, { user, request }: ImportRecord): IssueRecord {
  const now = stamp(state);
  const createdAt = request.createdAt ?? now;
  const closed = request.isClosed
    ? { closedAt: request.closedAt ?? now, closedBy: user }
    : { closedAt: null, closedBy: null };
  const assignee = [...state.users.values()].find(
    ({ login }) => login.toLowerCase() === request.assignee?.toLowerCase(),
  );
  return {
    id: freshId(state),
    number: nextNumber(repo),
    events: [],
    type: null,
    fieldValues: new Map(),
    isPull: false,
    merge: null,
    author: user,
    title: request.title.trim(),
    body: request.body,
    state: request.isClosed ? 'closed' : 'open',
    stateReason: request.isClosed ? 'completed' : null,
    duplicateOfId: null,
    isLocked: false,
    lastEdit: null,
    thumbsUp: [],
    blockedBy: [],
    blocks: new Set(),
    labels: labelsNamed(state, repo, request.labels),
    assignees: assignee === undefined ? [] : [assignee],
    milestone: repo.milestones.find(({ number }) => number === request.milestone) ?? null,
    comments: request.comments.map((comment) => commentFrom(state, user, comment)),
    createdAt,
    updatedAt: request.updatedAt ?? now,
    ...closed,
    madeAt: state.now(),
    fate: { kind: 'there' },
  };
}

function commentFrom(
  state: GithubState,
  author: User,
  { body, createdAt }: ImportRequest['comments'][number],
): CommentRecord {
  const at = createdAt ?? stamp(state);
  return {
    id: freshId(state),
    author,
    body,
    minimized: null,
    lastEdit: null,
    createdAt: at,
    updatedAt: at,
    madeAt: state.now(),
  };
}
