import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import type { Outcome } from '../../model/outcome.ts';
import { type Failure, noContent } from '../connection/failure.ts';
import { nextPage } from '../connection/paging.ts';
import { milestoneSchema, parseAnswer } from '../map.ts';
import { get, makeOnce, type Repository } from '../repository.ts';
import type { IssueBody } from './write.ts';

type NumberRead =
  | { readonly kind: 'found'; readonly number: number | null }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Adds the milestone to a request, by number. Creates a missing one; if that is refused, the request goes without it,
 * and the answer shows that.
 */
export async function milestoneBody(
  repository: Repository,
  fresh: Issue | null,
  { milestone }: { readonly milestone?: string | null },
): Promise<
  { readonly kind: 'body'; readonly body: IssueBody } | { readonly kind: 'failed'; readonly failure: Failure }
> {
  if (milestone === undefined || milestone === (fresh?.milestone ?? null)) return { kind: 'body', body: {} };
  if (milestone === null) return { kind: 'body', body: { milestone: null } };
  const found = await numberOf(repository, milestone);
  if (found.kind === 'failed') return found;
  return { kind: 'body', body: found.number === null ? {} : { milestone: found.number } };
}

/**
 * People may rename a milestone between the look for its number and the write: the answer then shows what they call it.
 */
export async function unlessRenamed(
  repository: Repository,
  outcome: Outcome<Issue>,
  title: string | null | undefined,
  { milestone: number }: IssueBody,
): Promise<Outcome<Issue>> {
  if (outcome.kind !== 'applied' || typeof title !== 'string' || typeof number !== 'number') return outcome;
  const shown = outcome.item.milestone;
  if (shown === null || shown === title || (await isStillCalled(repository, title, number))) return outcome;
  return { ...outcome, foreign: [...(outcome.foreign ?? []), 'milestone'] };
}

async function numberOf(repository: Repository, title: string): Promise<NumberRead> {
  const known = repository.milestones.get(title);
  if (known !== undefined && (await isStillCalled(repository, title, known))) return { kind: 'found', number: known };
  const listed = await listInto(repository);
  if (listed !== null) return { kind: 'failed', failure: listed };
  const number = alike(repository, title);
  return number === undefined ? make(repository, title) : { kind: 'found', number };
}

/**
 * Renaming a milestone changes none of its issues, so a stored number may now belong to another title. An answer that
 * shows neither title nor absence is no reason to doubt the stored number.
 */
async function isStillCalled(repository: Repository, title: string, number: number): Promise<boolean> {
  const failure = await lookInto(repository, number);
  if (failure?.kind === 'gone') repository.milestones.delete(title);
  return repository.milestones.get(title) === number;
}

/** A guard against endless paging. */
const pagesMax = 1_000;

/** GET /repos/{owner}/{repo}/milestones; without `state=all`, only open ones. */
async function listInto(repository: Repository): Promise<Failure | null> {
  const about = `list the milestones of ${repository.name}`;
  let path: string | null = `${repository.path}/milestones?state=all&per_page=${repository.pageSize}`;
  for (let pages = 0; path !== null; pages += 1) {
    if (pages === pagesMax)
      return { kind: 'unknown', why: `The list of milestones of ${repository.name} does not end.` };
    const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
    if (reply.kind === 'failed') return reply.failure;
    if (reply.kind === 'unchanged') return noContent(about);
    const page = parseAnswer(z.array(milestoneSchema), reply, about);
    if (page.kind === 'failed') return page.failure;
    const isNews = page.value.some(({ title }) => !repository.milestones.has(title));
    for (const { title, number } of page.value) repository.milestones.set(title, number);
    const next = nextPage(repository, reply, { path, rows: page.value.length });
    path = next === null || (next.isGuess && !isNews) ? null : next.path;
  }
  return null;
}

/** POST /repos/{owner}/{repo}/milestones; null if the account may not. */
async function make(repository: Repository, title: string): Promise<NumberRead> {
  const about = `create the milestone "${title}" in ${repository.name}`;
  const ask = {
    method: 'POST',
    path: `${repository.path}/milestones`,
    cost: 'create',
    about,
    body: { title },
  } as const;
  const reply = await makeOnce(repository, `milestone ${title}`, ask);
  if (reply.kind === 'failed') {
    const { failure } = reply;
    if (failure.kind === 'refused' && failure.faults?.includes('already_exists'))
      return findMadeByOthers(repository, title, about);
    const isNo = failure.kind === 'refused' || failure.kind === 'gone';
    return isNo ? { kind: 'found', number: null } : { kind: 'failed', failure };
  }
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  const parsed = parseAnswer(milestoneSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  repository.milestones.set(title, parsed.value.number);
  return { kind: 'found', number: parsed.value.number };
}

/** So many consecutive numbers without a milestone count as the end; smaller gaps are deleted ones. */
const missesMax = 3;

/**
 * Someone created it after the list was read. Lists lag; reading a milestone by its number does not, and numbers count
 * up. A milestone that is still not found exists and will appear: the operation waits.
 */
async function findMadeByOthers(repository: Repository, title: string, about: string): Promise<NumberRead> {
  const listed = await listInto(repository);
  if (listed !== null) return { kind: 'failed', failure: listed };
  let number = Math.max(0, ...repository.milestones.values());
  for (let misses = 0; takenFor(repository, title) === undefined && misses < missesMax; ) {
    number += 1;
    const failure = await lookInto(repository, number);
    if (failure !== null && failure.kind !== 'gone') return { kind: 'failed', failure };
    misses = failure === null ? 0 : misses + 1;
  }
  const found = takenFor(repository, title);
  if (found !== undefined) return { kind: 'found', number: found };
  const why = `GitHub said that it exists when asked to ${about}, but shows none with that title yet.`;
  return { kind: 'failed', failure: { kind: 'unknown', why } };
}

/** GET /repos/{owner}/{repo}/milestones/{milestone_number} */
async function lookInto(repository: Repository, number: number): Promise<Failure | null> {
  const about = `read the milestone ${number} of ${repository.name}`;
  const reply = await get(repository, `/milestones/${number}`, about);
  if (reply.kind === 'failed') return reply.failure;
  if (reply.kind === 'unchanged') return noContent(about);
  const parsed = parseAnswer(milestoneSchema, reply, about);
  if (parsed.kind === 'failed') return parsed.failure;
  const { milestones } = repository;
  for (const [title, known] of milestones) if (known === number) milestones.delete(title);
  milestones.set(parsed.value.title, number);
  return null;
}

const alike = ({ milestones }: Repository, title: string): number | undefined =>
  milestones.get(title) ?? [...milestones].find(([known]) => known.toLowerCase() === title.toLowerCase())?.[1];

/** Titles that GitHub treats as equal: its database may ignore case, accents and surrounding space. */
const takenFor = (repository: Repository, title: string): number | undefined =>
  alike(repository, title) ??
  [...repository.milestones].find(
    ([known]) => known.trim().localeCompare(title.trim(), 'en', { sensitivity: 'base' }) === 0,
  )?.[1];
