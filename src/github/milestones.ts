import * as z from 'zod';
import type { Issue } from '../model/item.ts';
import { type Failure, noContent } from './failure.ts';
import type { IssueBody } from './insist.ts';
import { nextPage } from './paging.ts';
import type { Repository } from './repository.ts';
import { milestoneSchema, parseAnswer } from './schema.ts';

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
  const number = repository.milestones.get(title) ?? alike(repository, title);
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
  const reply = await repository.client.send({
    method: 'POST',
    path: `${repository.path}/milestones`,
    cost: 'create',
    about,
    body: { title },
  });
  if (reply.kind === 'failed') {
    const isNo = reply.failure.kind === 'refused' || reply.failure.kind === 'gone';
    return isNo ? { kind: 'found', number: null } : { kind: 'failed', failure: reply.failure };
  }
  if (reply.kind === 'unchanged') return { kind: 'failed', failure: noContent(about) };
  const parsed = parseAnswer(milestoneSchema, reply, about);
  if (parsed.kind === 'failed') return parsed;
  repository.milestones.set(title, parsed.value.number);
  return { kind: 'found', number: parsed.value.number };
}

const alike = ({ milestones }: Repository, title: string): number | undefined =>
  [...milestones].find(([known]) => known.toLowerCase() === title.toLowerCase())?.[1];
