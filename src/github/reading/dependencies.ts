import * as z from 'zod';
import { type IssueNumber, issueNumber } from '../../model/ids.ts';
import type { Issue } from '../../model/item.ts';
import type { BlockerPatch } from '../../model/operation.ts';
import type { Outcome, Probe } from '../../model/outcome.ts';
import type { GithubReplica } from '../../model/replica.ts';
import { type Failure, readError, unwrittenOutcome, writeOutcome } from '../connection/failure.ts';
import { get, type Repository } from '../repository.ts';
import { parseAnswer } from '../schema.ts';
import { explainGoneWrite } from './probe.ts';

/**
 * Dependencies between issues. Lists tell how many issues block one (`issue_dependencies_summary`) and not which, so only those with
 * any are asked about. A server without dependencies tells no number; then nothing is asked, and `blockedBy` stays absent.
 */
export function withDependencies(repository: Repository, replica: GithubReplica): GithubReplica {
  const filled = async (items: readonly Issue[]): Promise<Issue[]> => {
    const all: Issue[] = [];
    for (const issue of items) all.push(await withBlockers(repository, issue));
    return all;
  };
  const written = async (outcome: Outcome<Issue>): Promise<Outcome<Issue>> =>
    outcome.kind === 'applied' ? { ...outcome, item: await withBlockersIfTold(repository, outcome.item) } : outcome;
  const probe = async (ref: number): Promise<Probe<Issue>> => {
    const found = await replica.probe(ref);
    return found.kind === 'there' ? { kind: 'there', item: await withBlockers(repository, found.item) } : found;
  };
  return {
    ...replica,
    probe,
    async changes(cursor) {
      const page = await replica.changes(cursor);
      return { ...page, items: await filled(page.items) };
    },
    async list(at) {
      const page = await replica.list(at);
      return { ...page, items: await filled(page.items) };
    },
    madeSince: async (at, isKnown) => filled(await replica.madeSince(at, isKnown)),
    create: async (draft) => written(await replica.create(draft)),
    async update(seen, patch) {
      if (patch.blocker === undefined) return written(await replica.update(seen, patch));
      return changeBlocker(repository, seen, patch.blocker);
    },
  };
}

/** @throws SideError when GitHub does not answer; what it does not tell is absent from the issue. */
async function withBlockers(repository: Repository, issue: Issue): Promise<Issue> {
  const blockers = await readBlockers(repository, issue);
  if (blockers.kind === 'failed') throw readError(blockers.failure);
  return blockers.kind === 'untold' ? issue : { ...issue, blockedBy: numbersOf(blockers.list) };
}

/** After a write, not being told is no failure: the write is done, and the next poll tells. */
async function withBlockersIfTold(repository: Repository, issue: Issue): Promise<Issue> {
  const blockers = await readBlockers(repository, issue);
  return blockers.kind === 'told' ? { ...issue, blockedBy: numbersOf(blockers.list) } : issue;
}

interface Blocker {
  readonly id: number;
  /** Null for an issue of another repository, and for a pull request. */
  readonly number: IssueNumber | null;
}

type Blockers =
  | { readonly kind: 'told'; readonly list: readonly Blocker[] }
  | { readonly kind: 'untold' }
  | { readonly kind: 'failed'; readonly failure: Failure };

const blockersSchema = z.array(z.object({ id: z.number(), number: z.number().int(), html_url: z.string() }));

/** GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by; GitHub allows fewer than one page holds. */
async function readBlockers(repository: Repository, { number, blockerCount }: Issue): Promise<Blockers> {
  if (blockerCount === undefined) return { kind: 'untold' };
  if (blockerCount === 0) return { kind: 'told', list: [] };
  const about = `list what blocks ${repository.name}#${number}`;
  const reply = await get(repository, `/issues/${number}/dependencies/blocked_by?per_page=100`, about);
  if (reply.kind === 'unchanged') return { kind: 'untold' };
  if (reply.kind === 'failed') return reply.failure.kind === 'gone' || reply.failure.kind === 'refused' ? { kind: 'untold' } : reply;
  const parsed = parseAnswer(blockersSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  return { kind: 'told', list: parsed.value.map(({ id, number: own, html_url }) => ({ id, number: numberIn(repository, html_url, own) })) };
}

function numberIn({ name }: Repository, page: string, number: number): IssueNumber | null {
  return new URL(page).pathname.toLowerCase().endsWith(`/${name}/issues/${number}`.toLowerCase()) ? issueNumber(number) : null;
}

const numbersOf = (list: readonly Blocker[]): readonly IssueNumber[] => list.flatMap(({ number }) => (number === null ? [] : [number]));

/**
 * POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by, or DELETE .../blocked_by/{issue_id}. What is so already is
 * not asked for again. The issue is read afterwards, as the answer does not say whether it shows the one that blocks or the blocked one.
 */
async function changeBlocker(repository: Repository, seen: Issue, { change, issueId }: BlockerPatch): Promise<Outcome<Issue>> {
  const before = await readBlockers(repository, { ...seen, blockerCount: 1 });
  if (before.kind === 'failed') return unwrittenOutcome(before.failure);
  const stands = before.kind === 'told' && before.list.some(({ id }) => id === issueId);
  if (stands === (change === 'add')) return { kind: 'applied', item: before.kind === 'told' ? withList(seen, before.list) : seen };
  const path = `${repository.path}/issues/${seen.number}/dependencies/blocked_by`;
  const about = `${change === 'add' ? 'let' : 'no longer let'} the issue with database id ${issueId} block ${repository.name}#${seen.number}`;
  const place = { cost: 'edit', about } as const;
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
  if (after.kind === 'told') return { kind: 'applied', item: withList(seen, after.list) };
  const { blockedBy: _unknown, ...rest } = seen;
  return { kind: 'applied', item: rest };
}

const withList = (issue: Issue, list: readonly Blocker[]): Issue => ({
  ...issue,
  blockerCount: list.length,
  blockedBy: numbersOf(list),
});
