import * as z from 'zod';
import { whyUnmapped } from '../../model/answers/fault.ts';
import { type IssueNumber, issueNumber } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import { type Outcome, type Probe, SideError } from '../../model/outcome.ts';
import type { BlockerPatch } from '../../model/plan/draft.ts';
import type { FailedItem, GithubReplica, Page } from '../../model/replica.ts';
import type { InTime } from '../../model/runtime.ts';
import { type Failure, readError, unwrittenOutcome, whyOf, writeOutcome } from '../connection/failure.ts';
import { parseAnswer } from '../map.ts';
import { explainGoneWrite, get, type Repository } from '../repository.ts';
import { isOfOne } from './single-rows.ts';

/**
 * Dependencies between issues. Lists contain only the number of blocking issues (`issue_dependencies_summary`), so each
 * issue with any takes another request. A server without dependencies sends no number; then there is no request, and
 * `blockedBy` stays absent.
 */
export function withDependencies(repository: Repository, replica: GithubReplica): GithubReplica {
  const filled = async (items: readonly Issue[], inTime?: InTime): Promise<Filled[]> => {
    const all: Filled[] = [];
    for (const issue of items) all.push(await filledOne(repository, issue, inTime));
    return all;
  };
  const withFilled = async <P extends Page<Issue>>(page: P, inTime: InTime | undefined): Promise<P> => {
    const all = await filled(page.items, inTime);
    return {
      ...page,
      items: issuesOf(all),
      failed: [...(page.failed ?? []), ...all.flatMap((each) => each.failed ?? [])],
    };
  };
  const written = async (outcome: Outcome<Issue>): Promise<Outcome<Issue>> =>
    outcome.kind === 'applied' ? { ...outcome, item: await withBlockersIfTold(repository, outcome.item) } : outcome;
  const probe = async (ref: number): Promise<Probe<Issue>> => {
    const found = await replica.probe(ref);
    if (found.kind === 'gone') return found;
    const { issue, failed } = await filledOne(repository, found.item);
    if (issue === null) throw readError({ kind: 'refused', why: failed.why });
    return { kind: 'there', item: issue };
  };
  return {
    ...replica,
    probe,
    async changes(cursor, isRenamed, inTime) {
      return withFilled(await replica.changes(cursor, isRenamed, inTime), inTime);
    },
    async list(at, inTime) {
      return withFilled(await replica.list(at, inTime), inTime);
    },
    async madeSince(...asked) {
      const made = await replica.madeSince(...asked);
      const all = await filled(made.issues);
      const unread = all.flatMap(({ issue, failed }) => (issue === null ? [failed.why] : []));
      return { ...made, issues: issuesOf(all), unread: [...made.unread, ...unread] };
    },
    create: async (draft) => written(await replica.create(draft)),
    async update(seen, patch, mayGoOn) {
      if (patch.blocker === undefined) return written(await replica.update(seen, patch, mayGoOn));
      return changeBlocker(repository, seen, patch.blocker);
    },
  };
}

/** An issue as far as it could be read, and why it has to be read again; null for neither. */
type Filled =
  | { readonly issue: Issue; readonly failed: FailedItem | null }
  | { readonly issue: null; readonly failed: FailedItem };

const issuesOf = (all: readonly Filled[]): readonly Issue[] => all.flatMap(({ issue }) => issue ?? []);

const notNow = 'GitHub answers about other issues too slowly';

/**
 * An issue on whose list GitHub fails, while it lists the issue itself, keeps no other from being read, and is known
 * without that list: what has to go off it need not wait.
 * @throws SideError for what concerns more than this issue
 */
async function filledOne(repository: Repository, issue: Issue, inTime?: InTime): Promise<Filled> {
  const { number: ref, changedAt, title, blockerCount = 0 } = issue;
  const without = (why: string): Filled => ({ issue, failed: { ref, why, isOfSide: true } });
  if (blockerCount > 0 && inTime?.isOut()) return without(notNow);
  const row = { side: 'github', ref, of: 'item', version: ['blockers', changedAt, title] } as const;
  const read = () => repository.client.rows.read(row, () => withBlockers(repository, issue));
  try {
    const found = await (blockerCount > 0 && inTime !== undefined ? inTime.during(read, ref) : read());
    return found.kind === 'issue' ? { issue: found, failed: null } : without(whyOf(found));
  } catch (error) {
    if (error instanceof SideError) throw error;
    return { issue: null, failed: { ref, why: whyUnmapped(`issue ${ref}`, error) } };
  }
}

/**
 * Unreported values stay absent. A failure is of this issue alone.
 * @throws SideError for any other
 */
async function withBlockers(repository: Repository, issue: Issue): Promise<Issue | Failure> {
  const blockers = await readBlockers(repository, issue);
  if (blockers.kind === 'unreported') return issue;
  if (blockers.kind === 'listed') return { ...issue, blockedBy: numbersOf(blockers.list) };
  const { failure } = blockers;
  if (!isOfOne(failure) && failure.kind !== 'refused') throw readError(failure);
  return failure;
}

/** After a write, a missing list is no failure: the write is done, and the next poll reads it. */
async function withBlockersIfTold(repository: Repository, issue: Issue): Promise<Issue> {
  const blockers = await readBlockers(repository, issue);
  return blockers.kind === 'listed' ? { ...issue, blockedBy: numbersOf(blockers.list) } : issue;
}

interface Blocker {
  readonly id: number;
  /** Null for an issue of another repository, and for a pull request. */
  readonly number: IssueNumber | null;
}

type Blockers =
  | { readonly kind: 'listed'; readonly list: readonly Blocker[] }
  | { readonly kind: 'unreported' }
  | { readonly kind: 'failed'; readonly failure: Failure };

const blockersSchema = z.array(z.object({ id: z.number(), number: z.number().int(), html_url: z.string() }));

/** GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by; GitHub allows fewer than one page holds. */
async function readBlockers(repository: Repository, { number, blockerCount }: Issue): Promise<Blockers> {
  if (blockerCount === undefined) return { kind: 'unreported' };
  if (blockerCount === 0) return { kind: 'listed', list: [] };
  const about = `list what blocks ${repository.name}#${number}`;
  const reply = await get(repository, `/issues/${number}/dependencies/blocked_by?per_page=100`, about);
  if (reply.kind === 'unchanged') return { kind: 'unreported' };
  if (reply.kind === 'failed')
    return reply.failure.kind === 'gone' || reply.failure.kind === 'refused' ? { kind: 'unreported' } : reply;
  const parsed = parseAnswer(blockersSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  return {
    kind: 'listed',
    list: parsed.value.map(({ id, number: own, html_url }) => ({ id, number: numberIn(repository, html_url, own) })),
  };
}

function numberIn({ name }: Repository, page: string, number: number): IssueNumber | null {
  return new URL(page).pathname.toLowerCase().endsWith(`/${name}/issues/${number}`.toLowerCase())
    ? issueNumber(number)
    : null;
}

const numbersOf = (list: readonly Blocker[]): readonly IssueNumber[] =>
  list.flatMap(({ number }) => (number === null ? [] : [number]));

/**
 * POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by, or DELETE .../blocked_by/{issue_id}. Sends
 * no request if the dependency is already as wanted. Reads the issue afterwards, as GitHub does not document which of
 * the two issues the answer shows.
 */
async function changeBlocker(
  repository: Repository,
  seen: Issue,
  { change, issueId }: BlockerPatch,
): Promise<Outcome<Issue>> {
  const before = await readBlockers(repository, { ...seen, blockerCount: 1 });
  if (before.kind === 'failed') return unwrittenOutcome(before.failure);
  const isSo = before.kind === 'listed' && before.list.some(({ id }) => id === issueId);
  if (isSo === (change === 'add'))
    return { kind: 'applied', item: before.kind === 'listed' ? withList(seen, before.list) : seen };
  const path = `${repository.path}/issues/${seen.number}/dependencies/blocked_by`;
  const about = `${change === 'add' ? 'let' : 'no longer let'} the issue with database id ${issueId} block ${repository.name}#${seen.number}`;
  const place = { cost: 'create', about } as const;
  const reply = await repository.client.send(
    change === 'add'
      ? { ...place, method: 'POST', path, body: { issue_id: issueId } }
      : { ...place, method: 'DELETE', path: `${path}/${issueId}` },
  );
  if (reply.kind === 'failed') {
    if (reply.failure.kind !== 'gone') return writeOutcome(reply.failure);
    return unwrittenOutcome(await explainGoneWrite(repository, seen.number, reply.failure.gone));
  }
  const after = await readBlockers(repository, { ...seen, blockerCount: 1 });
  if (after.kind === 'listed') return { kind: 'applied', item: withList(seen, after.list) };
  const { blockedBy: _unknown, ...rest } = seen;
  return { kind: 'applied', item: rest };
}

const withList = (issue: Issue, list: readonly Blocker[]): Issue => ({
  ...issue,
  blockerCount: list.length,
  blockedBy: numbersOf(list),
});
