import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import { type Failure, noContent } from '../connection/failure.ts';
import { nextPage } from '../connection/paging.ts';
import { get, makeOnce, type Repository } from '../repository.ts';
import { milestoneSchema, parseAnswer } from '../schema.ts';
import type { IssueBody } from './submit.ts';

type Found = { readonly kind: 'found'; readonly number: number | null } | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * What a request says of the milestone: GitHub takes its number. One that the repository does not have is made; when that is
 * refused, the request goes without, and the answer shows that it did.
 */
export async function milestoneBody(
  repository: Repository,
  fresh: Issue | null,
  { milestone }: { readonly milestone?: string | null },
): Promise<{ readonly kind: 'body'; readonly body: IssueBody } | { readonly kind: 'failed'; readonly failure: Failure }> {
  if (milestone === undefined || milestone === (fresh?.milestone ?? null)) return { kind: 'body', body: {} };
  if (milestone === null) return { kind: 'body', body: { milestone: null } };
  const found = await numberOf(repository, milestone);
  if (found.kind === 'failed') return found;
  return { kind: 'body', body: found.number === null ? {} : { milestone: found.number } };
}

async function numberOf(repository: Repository, title: string): Promise<Found> {
  const known = repository.milestones.get(title);
  if (known !== undefined) return { kind: 'found', number: known };
  const listed = await listInto(repository);
  if (listed !== null) return { kind: 'failed', failure: listed };
  const number = alike(repository, title);
  return number === undefined ? make(repository, title) : { kind: 'found', number };
}

/** GET /repos/{owner}/{repo}/milestones; without `state=all` only open ones come. */
async function listInto(repository: Repository): Promise<Failure | null> {
  const about = `list the milestones of ${repository.name}`;
  let path: string | null = `${repository.path}/milestones?state=all&per_page=${repository.pageSize}`;
  while (path !== null) {
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

/** POST /repos/{owner}/{repo}/milestones; null when the account may not. */
async function make(repository: Repository, title: string): Promise<Found> {
  const about = `make the milestone "${title}" in ${repository.name}`;
  const ask = { method: 'POST', path: `${repository.path}/milestones`, cost: 'create', about, body: { title } } as const;
  const reply = await makeOnce(repository, `milestone ${title}`, ask);
  if (reply.kind === 'failed') {
    const { failure } = reply;
    if (failure.kind === 'refused' && failure.faults?.includes('already_exists')) return findMadeByOthers(repository, title, about);
    const isNo = failure.kind === 'refused' || failure.kind === 'gone';
    return isNo ? { kind: 'found', number: null } : { kind: 'failed', failure };
  }
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  const parsed = parseAnswer(milestoneSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  repository.milestones.set(title, parsed.value.number);
  return { kind: 'found', number: parsed.value.number };
}

/** How many numbers in a row without a milestone are taken for the end of them; those between were deleted. */
const missesMax = 3;

/**
 * Somebody made it after the list was read. Lists lag behind; a milestone that is asked for by its number does not, and numbers count up.
 * One that cannot be found all the same is there, and will be seen: what needs it waits.
 */
async function findMadeByOthers(repository: Repository, title: string, about: string): Promise<Found> {
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
  const why = `GitHub said that it exists when asked to ${about}, and shows none of that title yet.`;
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
  repository.milestones.set(parsed.value.title, parsed.value.number);
  return null;
}

const alike = ({ milestones }: Repository, title: string): number | undefined =>
  milestones.get(title) ?? [...milestones].find(([known]) => known.toLowerCase() === title.toLowerCase())?.[1];

/** What GitHub takes for the same title: its database may overlook case, accents, and the space around it. */
const takenFor = (repository: Repository, title: string): number | undefined =>
  alike(repository, title) ?? [...repository.milestones].find(([known]) => collator.compare(known.trim(), title.trim()) === 0)?.[1];
const collator = new Intl.Collator('en', { sensitivity: 'base' });
