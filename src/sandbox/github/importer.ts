import { issueNumber } from '../../model/ids.ts';
import type { Batch, Closing, Folding, ImportDraft, Importer, ImportJob } from '../../model/migration.ts';
import { type NotApplied, type Outcome, SideError } from '../../model/outcome.ts';
import type { Clock } from '../../model/runtime.ts';
import { type FaultSource, type HalfDone, noFaults } from '../server/faults.ts';
import { type DirectDoor, type DirectRequest, direct, NoAnswer } from './direct.ts';
import { Refusal } from './server/errors.ts';
import { createMilestone } from './world/assignees.ts';
import { listedComments, minimizeComment } from './world/comments.ts';
import { beginImport, type ImportRecord, importsOf } from './world/imports.ts';
import { editIssue, findIssue } from './world/issues.ts';
import { fullName, mayPush, type Repo } from './world/records.ts';
import { repoNamed, userNamed } from './world/state.ts';
import type { GithubWorld } from './world/world.ts';

export interface DirectImporterOptions {
  /** The account's login. */
  readonly user: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly clock: Clock;
  readonly faults?: FaultSource;
}

interface Desk extends DirectDoor {
  readonly repo: Repo;
  readonly path: string;
}

/** The direct door of imports: the port of model/migration.ts straight on the world, without HTTP. */
export function directImporter(world: GithubWorld, { user, repo: name, clock, faults = noFaults }: DirectImporterOptions): Importer {
  const { state } = world;
  const repo = repoNamed(state, name);
  const desk: Desk = { state, repo, user: userNamed(state, user), clock, faults, path: `/repos/${fullName(repo)}/import/issues` };
  const read = async <T>(work: () => T): Promise<T> => {
    try {
      return await direct(desk, { method: 'GET', path: desk.path }, () => ({ answer: work() }));
    } catch (error) {
      throw readErrorOf(error);
    }
  };
  return {
    home: () =>
      read(() => ({
        url: `${state.webUrl ?? state.url}/${fullName(repo)}`,
        mayImport: repo.permissions.get(desk.user.login) === 'admin',
      })),
    begin: (draft) => write(desk, { method: 'POST', path: desk.path }, () => asJob(begin(desk, draft))),
    since: (at) =>
      read(() =>
        importsOf(state, desk.user, repo)
          .filter(({ updatedAt }) => updatedAt >= Math.floor(at / 1000) * 1000)
          .map(asJob),
      ),
    close: (closings) =>
      batch(
        desk,
        closings.map((closing) => ({ id: closing.issue, work: () => close(desk, closing) })),
      ),
    fold: (foldings) =>
      batch(
        desk,
        foldings.map((folding) => ({ id: folding.comment, work: () => foldAway(desk, folding) })),
      ),
  };
}

interface Item {
  readonly id: number;
  /** Whether it stands so afterwards. */
  readonly work: () => boolean;
}

const hindrances: Readonly<Record<HalfDone, NotApplied>> = {
  limit: { kind: 'later', at: null, wholeSide: true, why: 'You have exceeded a secondary rate limit.' },
  timeout: { kind: 'unknown', why: 'Something went wrong while executing your query.' },
  forbidden: { kind: 'refused', why: 'Must have admin rights to Repository.' },
};

/** Many in one request; a fault may stop it behind the first. */
async function batch(desk: Desk, items: readonly Item[]): Promise<Batch> {
  const outcome = await write(desk, { method: 'POST', path: '/graphql' }, (halfDone): Batch => {
    const now = halfDone === null ? items : items.slice(0, 1);
    const done = now.filter(({ work }) => work()).map(({ id }) => id);
    return { done: new Set(done), failure: halfDone === null || items.length < 2 ? null : hindrances[halfDone] };
  });
  return outcome.kind === 'applied' ? outcome.item : { done: new Set(), failure: outcome };
}

function close({ state, user, repo }: Desk, { issue: number, reason, duplicateOf }: Closing): boolean {
  const issue = findIssue(state, user, repo, number);
  const duplicate = duplicateOf === null ? {} : { duplicateIssueId: findIssue(state, user, repo, duplicateOf).id };
  editIssue(state, user, { repo, issue }, { state: 'closed', stateReason: reason, ...duplicate });
  return true;
}

/** Whether the comment stands folded so afterwards. */
function foldAway({ state, user, repo }: Desk, { issue, comment: id, fold }: Folding): boolean {
  const found = listedComments(state, [findIssue(state, user, repo, issue)], null).find(({ comment }) => comment.id === id);
  if (found === undefined) return false;
  const mayFold = mayPush(user, repo) || found.comment.author === user;
  if (found.comment.minimized === null && mayFold) minimizeComment(user, repo, id, fold);
  return found.comment.minimized === fold;
}

function begin({ state, user, repo }: Desk, draft: ImportDraft): ImportRecord {
  const { title, body, labels, assignee, isClosed, createdAt, changedAt, comments } = draft;
  const known = repo.milestones.find((milestone) => milestone.title === draft.milestone);
  const milestone = draft.milestone === undefined ? null : (known ?? createMilestone(state, user, repo, draft.milestone)).number;
  const closedAt = isClosed ? changedAt : null;
  return beginImport(state, user, repo, {
    title,
    body,
    labels,
    assignee: assignee ?? null,
    milestone,
    isClosed,
    createdAt,
    updatedAt: changedAt,
    closedAt,
    comments,
  });
}

function asJob({ id, status, issue, errors, createdAt }: ImportRecord): ImportJob {
  const why = status === 'failed' ? errors.map(({ resource, field }) => `${resource} ${field} is not accepted`).join('; ') : null;
  return { id, createdAt, state: status, issue: issue === null ? null : issueNumber(issue), faults: errors.map(({ field }) => field), why };
}

async function write<T>(desk: Desk, request: DirectRequest, work: (halfDone: HalfDone | null) => T): Promise<Outcome<T>> {
  try {
    return { kind: 'applied', item: await direct(desk, request, (halfDone) => ({ answer: work(halfDone) })) };
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'unknown', why: error.message, ...(error.at === null ? {} : { at: error.at }) };
    if (!(error instanceof Refusal)) throw error;
    if (error.isLimit) return { kind: 'later', at: desk.clock.now() + 60_000, wholeSide: true, why: error.message };
    const isClosed = error.status === 401 || error.status === 403 || error.status === 404;
    return { kind: isClosed ? 'unauthorized' : 'refused', why: error.message };
  }
}

function readErrorOf(error: unknown): unknown {
  if (error instanceof NoAnswer) return new SideError('later', error.message, { side: 'github', at: error.at });
  if (!(error instanceof Refusal)) return error;
  return new SideError(error.isLimit ? 'later' : 'refused', error.message, { side: 'github' });
}
