/**
 * The direct door: the port of model/replica.ts straight on the world, without HTTP. The real adapter has to behave
 * like this one, so every answer here is one that a careful client can get out of the HTTP door.
 */

import type { Comment, Fold, Issue } from '../../model/item.ts';
import type { IssueDraft } from '../../model/operation.ts';
import type { Outcome, Probe } from '../../model/outcome.ts';
import type { Changes, GithubReplica, Listing, Thread, ThreadAsk } from '../../model/replica.ts';
import type { Clock } from '../../model/runtime.ts';
import { type FaultSource, noFaults } from '../server/faults.ts';
import { applied, type Desk, issueNow, read, shown, write } from './desk.ts';
import { knowFields, offeredFields, wishesOf } from './direct-fields.ts';
import { choice, update } from './direct-update.ts';
import { asComment, goneOf } from './map.ts';
import { Refusal } from './server/errors.ts';
import { whoLabeled } from './who-labeled.ts';
import { createComment, deleteComment, editComment, listedComments, minimizeComment, setLock } from './world/comments.ts';
import { createIssue } from './world/issues.ts';
import { isLabelName } from './world/labels.ts';
import { listedIssues, listedRepoComments } from './world/listings.ts';
import { fullName, type IssueRecord, mayRead } from './world/records.ts';
import { readableRepo, repoNamed, userNamed } from './world/state.ts';
import type { GithubWorld } from './world/world.ts';

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
    hasFields: false,
  };
  return {
    side: 'github',
    hello: () => read(desk, '/user', () => ({ login: desk.user.login, version: 'sandbox' })),
    changes: (cursor) => read(desk, `${desk.path}/issues`, () => changesSince(desk, cursor)),
    list: (page) => read(desk, `${desk.path}/issues`, () => listing(desk, page)),
    threads: (asks) => read(desk, `${desk.path}/issues/comments`, () => asks.flatMap((ask) => threadOf(desk, ask))),
    probe: (ref) => read(desk, `${desk.path}/issues/${ref}`, () => look(desk, ref)),
    madeSince: (at, isKnown) => read(desk, `${desk.path}/issues`, () => madeSince(desk, at, isKnown)),
    create: (draft) => create(desk, draft),
    update: (seen, patch) => update(desk, seen, patch),
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
    fields: () => read(desk, `/orgs/${repo.owner.login}/issue-fields`, () => offeredFields(desk)),
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

/** By their numbers, which never lag. */
function madeSince(desk: Desk, sinceAt: number, isKnown: (number: number) => boolean): readonly Issue[] {
  const issues = [...readableRepo(desk.user, desk.repo).issues.values()];
  const news = issues.filter(
    (issue) => issue.fate.kind === 'there' && !issue.isPull && issue.createdAt >= sinceAt && !isKnown(issue.number),
  );
  return news.map((issue) => shown(desk, issue));
}

function look(desk: Desk, ref: number): Probe<Issue> {
  try {
    return { kind: 'there', item: shown(desk, issueNow(desk, ref)) };
  } catch (error) {
    if (error instanceof Refusal && mayRead(desk.user, desk.repo)) return { kind: 'gone', gone: goneOf(desk.repo, ref, error.status) };
    throw error;
  }
}

async function create(desk: Desk, draft: IssueDraft): Promise<Outcome<Issue>> {
  const { state, user, repo } = desk;
  const hindrance = await knowFields(desk, draft.fields);
  if (hindrance !== null) return hindrance;
  return write(desk, { method: 'POST', path: `${desk.path}/issues`, creates: 'issue' }, null, () => {
    const { title, body, assignees, milestone, type, fields = {} } = draft;
    const labels = draft.labels.filter(isLabelName);
    const values = wishesOf(desk, fields);
    const chosen = { ...choice(desk, { assignees, milestone, type }), ...(values.length === 0 ? {} : { fields: values }) };
    return applied(shown(desk, createIssue(state, user, repo, { title, body, labels, ...chosen })));
  });
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
