import { issueNumber } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { type Outcome, SideError } from '../../model/outcome.ts';
import { type DirectDoor, type DirectRequest, direct, NoAnswer } from './direct.ts';
import { asIssue, goneOf } from './map.ts';
import { notFound, Refusal } from './server/errors.ts';
import { checkHeardOf } from './server/lag.ts';
import { allowanceOf } from './server/limits.ts';
import { blockersOf } from './world/dependencies.ts';
import { namedValues, shownFields } from './world/issue-fields.ts';
import { findIssue } from './world/issues.ts';
import { fullName, type IssueRecord, mayRead, type Repo } from './world/records.ts';

/** Where the direct door works: one account in one repository. */
export interface Desk extends DirectDoor {
  readonly repo: Repo;
  readonly path: string;
  readonly pageSize: number;
  readonly dependencies: boolean;
  /** Whether the list of the organisation's fields was asked for, which is done once. */
  hasFields: boolean;
}

/** As the edge reads it: the count comes with the issue, who blocks it takes another request. */
export function shown({ state, repo, user, dependencies }: Desk, issue: IssueRecord): Issue {
  const blockers = blockersOf(issue).filter((each) => repo.issues.get(each.number) === each && !each.isPull);
  const isTold = dependencies && state.limits.hasDependencies;
  const fields = shownFields(state, user, repo);
  return {
    ...asIssue(state, repo, issue),
    ...(isTold ? { blockedBy: blockers.map(({ number }) => issueNumber(number)) } : {}),
    ...(fields === null ? {} : { fields: namedValues(fields, issue) }),
  };
}

/** A pull request's number is no issue's. */
export function issueNow({ state, repo, user }: Desk, ref: number): IssueRecord {
  const issue = findIssue(state, user, repo, ref);
  if (issue.isPull) throw notFound();
  return issue;
}

export const applied = <T>(item: T): Outcome<T> => ({ kind: 'applied', item });

/** Throws `SideError` when nothing was read. */
export async function read<T>(desk: Desk, path: string, work: () => T): Promise<T> {
  try {
    return await direct(desk, { method: 'GET', path }, () => ({ answer: work() }));
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new SideError('later', `Reading ${fullName(desk.repo)} failed: ${error.message}.`, {
        at: error.at,
        ...(error.at === null ? {} : { side: 'github' }),
        cause: error,
      });
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

/** One writing request; `ref` is the issue it is about, null for one that is yet to be made. */
export async function write<T>(desk: Desk, request: DirectRequest, ref: number | null, work: () => Outcome<T>): Promise<Outcome<T>> {
  try {
    return await direct(desk, request, () => {
      const isOfIssue = request.path.startsWith(`${desk.path}/issues/${ref}`) || request.path === '/graphql';
      if (request.method !== 'GET' && ref !== null && isOfIssue) checkHeardOf(desk.state, desk.repo.issues.get(ref));
      const answer = work();
      return { answer, isReadOnly: answer.kind === 'stale' };
    });
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'unknown', why: error.message, ...(error.at === null ? {} : { at: error.at }) };
    if (!(error instanceof Refusal)) throw error;
    if (error.isLimit) return { kind: 'later', at: pauseEnd(desk, error), wholeSide: true, why: error.message };
    if (error.isNotYet) return { kind: 'later', at: null, wholeSide: false, why: error.message };
    if (error.status === 401) return { kind: 'unauthorized', why: credentialsAdvice(desk) };
    const isGone = [301, 404, 410].includes(error.status) && mayRead(desk.user, desk.repo);
    if (isGone && ref !== null) return { kind: 'gone', gone: goneOf(desk.repo, ref, error.status) };
    if (error.status !== 422) return { kind: 'refused', why: accessAdvice(desk, error) };
    return { kind: 'refused', why: error.message, ...(ref === null && isUnnamed(error) ? { isUnexplained: true } : {}) };
  }
}

const isUnnamed = ({ body }: Refusal): boolean => JSON.stringify(body).includes('"field":"base"');

/** Of a request that would only have read: when its answer is lost, nothing is in doubt. */
export const unwritten = <T>(outcome: Outcome<T>): Outcome<T> =>
  outcome.kind === 'unknown' ? { kind: 'later', at: outcome.at ?? null, wholeSide: outcome.at !== undefined, why: outcome.why } : outcome;

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
