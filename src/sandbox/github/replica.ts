/**
 * The direct door: the port of model/replica.ts straight on the world, without HTTP. The real adapter has to behave
 * like this one, so every answer here is one that a careful client can get out of the HTTP door.
 */
import { issueNumber } from '../../model/ids.ts';
import type { Comment, Fold, Issue } from '../../model/item.ts';
import type { Clock } from '../../model/lane.ts';
import type { BlockerPatch, IssuePatch } from '../../model/operation.ts';
import { type Outcome, type Probe, SideError } from '../../model/outcome.ts';
import type { Changes, GithubReplica, Listing, Thread, ThreadAsk } from '../../model/replica.ts';
import { type FaultSource, noFaults } from '../faults.ts';
import { createComment, deleteComment, editComment, listedComments, minimizeComment } from './comments.ts';
import { addBlocker, blockersOf, removeBlocker } from './dependencies.ts';
import { type DirectDoor, type DirectRequest, direct, NoAnswer } from './direct.ts';
import { notFound, Refusal } from './errors.ts';
import { createIssue, editIssue, findIssue, type IssueChange } from './issues.ts';
import { isLabelName } from './labels.ts';
import { allowanceOf } from './limits.ts';
import { listedIssues, listedRepoComments } from './listings.ts';
import { setLock } from './locks.ts';
import { asComment, asIssue, goneOf } from './map.ts';
import { createMilestone } from './milestones.ts';
import { fullName, type IssueRecord, mayPush, mayRead, type Repo } from './records.ts';
import { readableRepo, repoNamed, userNamed } from './state.ts';
import { changeOf, staleness } from './update.ts';
import { whoLabeled } from './who-labeled.ts';
import type { GithubWorld } from './world.ts';

export interface DirectGithubOptions {
  /** The account's login. */
  readonly user: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly clock: Clock;
  readonly faults?: FaultSource;
  readonly pageSize?: number;
  /** Whether issues show which others block them. */
  readonly dependencies?: boolean;
}

interface Desk extends DirectDoor {
  readonly repo: Repo;
  readonly path: string;
  readonly pageSize: number;
  readonly dependencies: boolean;
}

/** Stamps are whole seconds and lists may lag, so each poll reads the minute before its cursor again. */
const overlapMs = 60_000;

export function directGithubReplica(world: GithubWorld, options: DirectGithubOptions): GithubReplica {
  const { state } = world;
  const repo = repoNamed(state, options.repo);
  const { clock, faults = noFaults, pageSize = 100, dependencies = false } = options;
  const desk: Desk = {
    state,
    repo,
    user: userNamed(state, options.user),
    path: `/repos/${fullName(repo)}`,
    clock,
    faults,
    pageSize,
    dependencies,
  };
  return {
    side: 'github',
    hello: () => read(desk, '/user', () => ({ login: desk.user.login, version: 'sandbox' })),
    changes: (cursor) => read(desk, `${desk.path}/issues`, () => changesSince(desk, cursor)),
    list: (page) => read(desk, `${desk.path}/issues`, () => listing(desk, page)),
    threads: (asks) => read(desk, `${desk.path}/issues/comments`, () => asks.flatMap((ask) => threadOf(desk, ask))),
    probe: (ref) => read(desk, `${desk.path}/issues/${ref}`, () => look(desk, ref)),
    create: (draft) =>
      write(desk, { method: 'POST', path: `${desk.path}/issues`, creates: 'issue' }, null, () => {
        const { title, body, assignees, milestone, type } = draft;
        const labels = draft.labels.filter(isLabelName);
        return applied(
          shown(desk, createIssue(state, desk.user, repo, { title, body, labels, ...choice(desk, { assignees, milestone, type }) })),
        );
      }),
    update: (seen, patch) =>
      write(desk, { method: 'PATCH', path: `${desk.path}/issues/${seen.number}` }, seen.number, () => update(desk, seen, patch)),
    comment: (ref, text) =>
      write(desk, { method: 'POST', path: `${desk.path}/issues/${ref}/comments`, creates: 'comment' }, ref, () => {
        const issue = issueNow(desk, ref);
        return applied(asComment(state, repo, { issue, comment: createComment(state, desk.user, { repo, issue }, text) }));
      }),
    rewrite: (ref, comment, text, mayReplace) =>
      write(desk, { method: 'PATCH', path: `${desk.path}/issues/comments/${comment}` }, ref, () =>
        rewrite(desk, { ref, id: comment, mayReplace }, text),
      ),
    erase: (ref, comment) =>
      write(desk, { method: 'DELETE', path: `${desk.path}/issues/comments/${comment}` }, ref, () => erase(desk, ref, comment)),
    fold: async (ref, comment, fold) =>
      repo.issues.get(ref)?.comments.find(({ id }) => id === comment)?.minimized === fold && repo.issues.get(ref)?.fate.kind === 'there'
        ? applied(null)
        : write(desk, { method: 'POST', path: '/graphql' }, ref, () => foldComment(desk, { ref, id: comment }, fold)),
    lock: (ref, isLocked) =>
      write(desk, { method: isLocked ? 'PUT' : 'DELETE', path: `${desk.path}/issues/${ref}/lock` }, ref, () => {
        setLock(state, desk.user, { repo, issue: issueNow(desk, ref) }, isLocked);
        return applied(null);
      }),
    whoLabeled: (ref, deed) => read(desk, `${desk.path}/issues/${ref}/events`, () => whoLabeled(repo, ref, deed)),
  };
}

function changesSince(desk: Desk, cursor: string | null): Changes<Issue> {
  const { state, repo, user } = desk;
  readableRepo(user, repo);
  const readAt = state.now();
  if (cursor === null) return { items: [], comments: [], readAt, cursor: String(readAt) };
  const sinceAt = Number(cursor) - overlapMs;
  const issues = listedIssues(state, repo).filter((issue) => !issue.isPull && issue.updatedAt >= sinceAt);
  const comments = listedRepoComments(state, repo, sinceAt).filter(({ issue }) => !issue.isPull);
  return {
    items: issues.map((issue) => shown(desk, issue)),
    comments: comments.map((on) => asComment(state, repo, on)),
    readAt,
    cursor: String(Math.max(Number(cursor), readAt)),
  };
}

/** First all issues by number, then all comments by id: neither order is touched by edits, and what is new comes last. */
function listing(desk: Desk, page: string | null): Listing<Issue> {
  const { state, repo, user, pageSize } = desk;
  readableRepo(user, repo);
  const readAt = state.now();
  const [kind, after = '0'] = (page ?? 'issues:0').split(':');
  if (kind === 'issues') {
    const rest = listedIssues(state, repo).filter((issue) => !issue.isPull && issue.number > Number(after));
    const items = rest.slice(0, pageSize).map((issue) => shown(desk, issue));
    const next = rest.length > pageSize ? `issues:${items.at(-1)?.number}` : 'comments:0';
    return { items, comments: [], readAt, next };
  }
  const rest = listedRepoComments(state, repo, null).filter(({ issue, comment }) => !issue.isPull && comment.id > Number(after));
  const comments = rest.slice(0, pageSize).map((on) => asComment(state, repo, on));
  return { items: [], comments, readAt, next: rest.length > pageSize ? `comments:${comments.at(-1)?.id}` : null };
}

/** None when the issue cannot be reached. */
function threadOf({ state, repo, user }: Desk, ask: ThreadAsk): readonly Thread[] {
  const issue = readableRepo(user, repo).issues.get(ask.ref);
  if (issue === undefined || issue.isPull || issue.fate.kind !== 'there') return [];
  const comments = listedComments(state, [issue], ask.sinceAt).map((on) => asComment(state, repo, on));
  return [{ ref: ask.ref, isWhole: ask.sinceAt === null, comments, readAt: state.now() }];
}

function look(desk: Desk, ref: number): Probe<Issue> {
  try {
    return { kind: 'there', item: shown(desk, issueNow(desk, ref)) };
  } catch (error) {
    if (error instanceof Refusal && mayRead(desk.user, desk.repo)) return { kind: 'gone', gone: goneOf(desk.repo, ref, error.status) };
    throw error;
  }
}

function update(desk: Desk, seen: Issue, patch: IssuePatch): Outcome<Issue> {
  if (patch.blocker !== undefined) return changeBlocker(desk, seen, patch.blocker);
  const { state, repo, user } = desk;
  const issue = issueNow(desk, seen.number);
  const fresh = asIssue(state, repo, issue);
  const why = staleness(seen, fresh, patch);
  if (why !== null) return { kind: 'stale', why: `${fullName(repo)}#${seen.number}: ${why}` };
  const change = changeOf(fresh, patch);
  const { type: _wished, ...rest } = change;
  const chosen = choice(desk, { assignees: change.assignees, milestone: patch.milestone, type: patch.type });
  editIssue(state, user, { repo, issue }, { ...rest, ...chosen });
  return applied(shown(desk, issue));
}

interface Rewriting {
  readonly ref: number;
  /** The comment's. */
  readonly id: number;
  readonly mayReplace: (body: string) => boolean;
}

function rewrite(desk: Desk, { ref, id, mayReplace }: Rewriting, body: string): Outcome<Comment> {
  const { state, repo, user } = desk;
  const issue = issueNow(desk, ref);
  const name = `comment ${id} on ${fullName(repo)}#${ref}`;
  const before = issue.comments.find((comment) => comment.id === id);
  if (before === undefined) return { kind: 'gone', gone: { kind: 'missing', why: `${name} is not there` } };
  if (!mayReplace(before.body)) return { kind: 'stale', why: `${name} was changed by somebody a moment ago` };
  return applied(asComment(state, repo, { issue, comment: editComment(state, user, repo, { id, body }) }));
}

function erase(desk: Desk, ref: number, id: number): Outcome<null> {
  if (hasComment(issueNow(desk, ref), id)) deleteComment(desk.user, desk.repo, id);
  return applied(null);
}

function foldComment(desk: Desk, { ref, id }: Pick<Rewriting, 'ref' | 'id'>, fold: Fold | null): Outcome<null> {
  const comment = issueNow(desk, ref).comments.find((each) => each.id === id);
  const why = `comment ${id} on ${fullName(desk.repo)}#${ref} is not there`;
  if (comment === undefined) return { kind: 'gone', gone: { kind: 'missing', why } };
  minimizeComment(desk.user, desk.repo, id, fold);
  return applied(null);
}

const hasComment = ({ comments }: IssueRecord, id: number): boolean => comments.some((comment) => comment.id === id);

/** Logins that nobody has are left out, as after a refusal; a milestone that is missing is made, or left out by who may not. */
function choice(
  { state, repo, user }: Desk,
  wish: {
    readonly assignees: readonly string[] | undefined;
    readonly milestone: string | null | undefined;
    readonly type: string | null | undefined;
  },
): Pick<IssueChange, 'assignees' | 'milestone' | 'type'> {
  const logins = wish.assignees?.filter((login) => state.users.has(login));
  const known = repo.milestones.find(({ title }) => title === wish.milestone);
  const mayMake = typeof wish.milestone === 'string' && mayPush(user, repo);
  const made = known === undefined && mayMake ? createMilestone(state, user, repo, wish.milestone) : known;
  return {
    ...(wish.type === undefined || (wish.type !== null && !repo.types.some((type) => type.toLowerCase() === wish.type?.toLowerCase()))
      ? {}
      : { type: wish.type }),
    ...(logins === undefined ? {} : { assignees: logins }),
    ...(wish.milestone === null ? { milestone: null } : made === undefined ? {} : { milestone: made.number }),
  };
}

/** As the edge reads it: the count comes with the issue, who blocks it takes another request. */
function shown({ state, repo, dependencies }: Desk, issue: IssueRecord): Issue {
  const blockers = blockersOf(issue).filter((each) => repo.issues.get(each.number) === each && !each.isPull);
  const isTold = dependencies && state.limits.hasDependencies;
  return { ...asIssue(state, repo, issue), ...(isTold ? { blockedBy: blockers.map(({ number }) => issueNumber(number)) } : {}) };
}

/** A relation that stands already, or is gone already, is as wanted. */
function changeBlocker(desk: Desk, seen: Issue, { change, issueId }: BlockerPatch): Outcome<Issue> {
  const { state, repo, user } = desk;
  const issue = issueNow(desk, seen.number);
  if (!state.limits.hasDependencies) return { kind: 'refused', why: 'this GitHub knows no dependencies between issues' };
  const stands = blockersOf(issue).some(({ id }) => id === issueId);
  if (stands !== (change === 'add')) (change === 'add' ? addBlocker : removeBlocker)(state, user, { repo, issue }, issueId);
  return applied(shown(desk, issue));
}

/** A pull request's number is no issue's. */
function issueNow({ state, repo, user }: Desk, ref: number): IssueRecord {
  const issue = findIssue(state, user, repo, ref);
  if (issue.isPull) throw notFound();
  return issue;
}

const applied = <T>(item: T): Outcome<T> => ({ kind: 'applied', item });

async function read<T>(desk: Desk, path: string, work: () => T): Promise<T> {
  try {
    return await direct(desk, { method: 'GET', path }, () => ({ answer: work() }));
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new SideError('later', `Reading ${fullName(desk.repo)} failed: ${error.message}.`, { cause: error });
    if (!(error instanceof Refusal)) throw error;
    if (error.isLimit)
      throw new SideError('later', `GitHub asks for a pause: ${error.message}`, {
        at: pauseEnd(desk, error),
        side: 'github',
        cause: error,
      });
    if (error.status === 401) throw new SideError('unauthorized', credentialsAdvice(desk), { cause: error });
    throw new SideError('refused', accessAdvice(desk, error), { cause: error });
  }
}

async function write<T>(desk: Desk, request: DirectRequest, ref: number | null, work: () => Outcome<T>): Promise<Outcome<T>> {
  try {
    return await direct(desk, request, () => {
      const answer = work();
      return { answer, isReadOnly: answer.kind === 'stale' };
    });
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'unknown', why: error.message };
    if (!(error instanceof Refusal)) throw error;
    if (error.isLimit) return { kind: 'later', at: pauseEnd(desk, error), wholeSide: true, why: error.message };
    if (error.status === 401) return { kind: 'unauthorized', why: credentialsAdvice(desk) };
    const isGone = [301, 404, 410].includes(error.status) && mayRead(desk.user, desk.repo);
    if (isGone && ref !== null) return { kind: 'gone', gone: goneOf(desk.repo, ref, error.status) };
    return { kind: 'refused', why: error.status === 422 ? error.message : accessAdvice(desk, error) };
  }
}

/** GitHub's rule: `retry-after`, else the reset of an allowance that is used up, else a minute. */
function pauseEnd({ state, user }: Desk, refusal: Refusal): number {
  const retryAfter = refusal.headers['retry-after'];
  if (retryAfter !== undefined) return state.now() + Number(retryAfter) * 1000;
  const allowance = allowanceOf(state, user);
  return allowance.remaining === 0 ? allowance.resetAt : state.now() + 60_000;
}

const credentialsAdvice = (desk: Desk): string =>
  `GitHub does not accept the credentials of ${desk.user.login}; give the bridge a new token.`;

function accessAdvice(desk: Desk, refusal: Refusal): string {
  const name = fullName(desk.repo);
  if (refusal.status !== 404) return `GitHub refused ${desk.user.login} in ${name}: ${refusal.message}`;
  return `${name} cannot be seen by ${desk.user.login}; give the account access to the repository, or correct the route.`;
}
