import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import { noContent, readError } from '../connection/failure.ts';
import { nextPage } from '../connection/paging.ts';
import { toIssue } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { issueSchema, readAnswer } from '../schema.ts';

/** So many consecutive numbers without an issue count as the end; smaller gaps are numbers deleted, transferred, or never assigned. */
const missesMax = 5;

/** A guard against endless numbers. */
const looksMax = 10_000;

/**
 * Issues created since `sinceAt`, except those that `isKnown`. Lists lag, at times by minutes; reading an issue by its number does not.
 * Issues and pull requests share one sequence. So the newest list gives the last number from before, and later numbers that it does not
 * show are read one by one, until several in a row are missing.
 * @param sinceAt epoch milliseconds, by our clock
 * @throws SideError
 */
export async function madeSince(repository: Repository, sinceAt: number, isKnown: (number: number) => boolean): Promise<readonly Issue[]> {
  const { last, later, theirSinceAt } = await newest(repository, sinceAt);
  const found: Issue[] = [];
  const top = Math.max(last, ...later.keys());
  for (let number = last + 1, misses = 0; number <= top || misses < missesMax; number += 1) {
    if (number > last + looksMax) throw new SideError('refused', `The numbers of the issues of ${repository.name} do not end.`);
    const seen = isKnown(number) ? 'known' : (later.get(number) ?? (await lookAt(repository, number)));
    misses = seen === 'missing' ? misses + 1 : 0;
    if (typeof seen === 'object' && seen.createdAt >= theirSinceAt) found.push(seen);
  }
  return found;
}

type Seen = Issue | 'pull request' | 'missing';

interface Newest {
  /** The last number created before; 0 if there was none. */
  readonly last: number;
  /** Later ones in the list, by number. */
  readonly later: ReadonlyMap<number, Seen>;
  /** The same moment, by GitHub's clock. */
  readonly theirSinceAt: number;
}

const rowsSchema = z.array(
  issueSchema.transform((wire) => ({ number: wire.number, createdAt: wire.created_at, seen: toIssue(wire) ?? ('pull request' as const) })),
);

/** GET /repos/{owner}/{repo}/issues, newest first, down to those created before. */
async function newest(repository: Repository, sinceAt: number): Promise<Newest> {
  const { client, path: home, pageSize, name } = repository;
  const about = `list the newest issues of ${name}`;
  const later = new Map<number, Seen>();
  let theirSinceAt = sinceAt;
  let path: string | null = `${home}/issues?state=all&sort=created&direction=desc&per_page=${pageSize}`;
  while (path !== null) {
    const answer = answered(await client.send({ method: 'GET', path, cost: 'read', about }), about);
    const rows = readAnswer(rowsSchema, answer, about);
    theirSinceAt = sinceAt + answer.readAt - client.now();
    const last = rows.find(({ createdAt }) => createdAt < theirSinceAt);
    const isNews = rows.some(({ number }) => !later.has(number));
    for (const { number, seen } of last === undefined ? rows : rows.slice(0, rows.indexOf(last))) later.set(number, seen);
    if (last !== undefined) return { last: last.number, later, theirSinceAt };
    const next = nextPage(repository, answer, { path, rows: rows.length });
    path = next === null || (next.isGuess && !isNews) ? null : next.path;
  }
  return { last: 0, later, theirSinceAt };
}

/** GET /repos/{owner}/{repo}/issues/{issue_number} */
async function lookAt(repository: Repository, number: number): Promise<Seen> {
  const about = `read ${repository.name}#${number}`;
  const reply = await get(repository, `/issues/${number}`, about);
  if (reply.kind === 'unchanged') throw readError(noContent(about));
  if (reply.kind === 'answered') return toIssue(readAnswer(issueSchema, reply, about)) ?? 'pull request';
  if (reply.failure.kind === 'gone') return 'missing';
  throw readError(reply.failure);
}
