import * as z from 'zod';
import { whyUnmapped } from '../../model/answers/fault.ts';
import type { Issue } from '../../model/item.ts';
import type { MadeSince } from '../../model/replica.ts';
import { noContent, readError, whyOf } from '../connection/failure.ts';
import { nextPage } from '../connection/paging.ts';
import { issueSchema, parseAnswer, readAnswer, toIssue, type WireIssue } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';

/**
 * So many consecutive numbers without an issue count as the end; smaller gaps are numbers deleted, transferred, or
 * never assigned.
 */
const missesMax = 5;

/** How many numbers one call reads one by one. */
const looksMax = 500;

/**
 * Issues created since `sinceAt`, except those that `isKnown`. Lists lag, at times by minutes; reading an issue by its
 * number does not. Issues and pull requests share one sequence. So the newest list gives the last number from before,
 * and later numbers that it does not show are read one by one, until several in a row are missing.
 * @param sinceAt epoch milliseconds, by our clock
 * @throws SideError
 */
export async function madeSince(
  repository: Repository,
  sinceAt: number,
  isKnown: (number: number) => boolean,
): Promise<MadeSince> {
  const { passed } = repository;
  const { last, later, theirSinceAt } = await newest(repository, sinceAt);
  const [issues, unread]: [Issue[], string[]] = [[], []];
  const top = Math.max(last, ...later.keys());
  for (let number = last + 1, misses = 0, looks = 0; number <= top || misses < missesMax; number += 1) {
    let seen: Candidate | undefined = isKnown(number) || passed.has(number) ? { kind: 'passed' } : later.get(number);
    if (seen === undefined) {
      if (looks === looksMax) return { issues, unread, isWhole: false };
      looks += 1;
      seen = await lookAt(repository, number);
      // A number below the newest is never given to an issue again.
      if (number < top && (seen.kind === 'passed' || seen.kind === 'missing')) passed.add(number);
    }
    if (seen.kind === 'issue' && seen.issue.createdAt >= theirSinceAt) issues.push(seen.issue);
    if (seen.kind === 'unread') unread.push(seen.why);
    misses = seen.kind === 'issue' || seen.kind === 'passed' ? 0 : misses + 1;
  }
  passed.clear();
  return { issues, unread, isWhole: true };
}

/**
 * The item behind a number.
 *
 *   issue    an issue
 *   passed   a pull request, or an issue that is already known
 *   missing  deleted, or not created yet
 *   unread   GitHub does not show it
 */
type Candidate =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'passed' | 'missing' }
  | { readonly kind: 'unread'; readonly why: string };

function candidateOf(wire: WireIssue): Candidate {
  try {
    const issue = toIssue(wire);
    return issue === null ? { kind: 'passed' } : { kind: 'issue', issue };
  } catch (error) {
    return { kind: 'unread', why: whyUnmapped(`issue ${wire.number}`, error) };
  }
}

interface Newest {
  /** The last number created before; 0 if there was none. */
  readonly last: number;
  /** Later ones in the list, by number. */
  readonly later: ReadonlyMap<number, Candidate>;
  /** The same moment, by GitHub's clock. */
  readonly theirSinceAt: number;
}

const rowsSchema = z.array(
  issueSchema.transform((wire) => ({ number: wire.number, createdAt: wire.created_at, seen: candidateOf(wire) })),
);

/** GET /repos/{owner}/{repo}/issues, newest first, down to those created before. */
async function newest(repository: Repository, sinceAt: number): Promise<Newest> {
  const { client, path: home, pageSize, name } = repository;
  const about = `list the newest issues of ${name}`;
  const later = new Map<number, Candidate>();
  let theirSinceAt = sinceAt;
  let path: string | null = `${home}/issues?state=all&sort=created&direction=desc&per_page=${pageSize}`;
  while (path !== null) {
    const answer = answered(await client.send({ method: 'GET', path, cost: 'read', about }), about);
    const rows = readAnswer(rowsSchema, answer, about);
    theirSinceAt = sinceAt + answer.readAt - client.now();
    const last = rows.find(({ createdAt }) => createdAt < theirSinceAt);
    const isNews = rows.some(({ number }) => !later.has(number));
    for (const { number, seen } of last === undefined ? rows : rows.slice(0, rows.indexOf(last)))
      later.set(number, seen);
    if (last !== undefined) return { last: last.number, later, theirSinceAt };
    const next = nextPage(repository, answer, { path, rows: rows.length });
    path = next === null || (next.isGuess && !isNews) ? null : next.path;
  }
  return { last: 0, later, theirSinceAt };
}

/**
 * GET /repos/{owner}/{repo}/issues/{issue_number}
 * @throws SideError for what concerns more than this number: a limit, our credentials, a server that cannot be reached
 */
async function lookAt(repository: Repository, number: number): Promise<Candidate> {
  const about = `read ${repository.name}#${number}`;
  const reply = await get(repository, `/issues/${number}`, about);
  if (reply.kind === 'unchanged') return { kind: 'unread', why: noContent(about).why };
  if (reply.kind === 'answered') {
    const parsed = parseAnswer(issueSchema, reply, about);
    return parsed.kind === 'failed' ? { kind: 'unread', why: whyOf(parsed.failure) } : candidateOf(parsed.value);
  }
  const { failure } = reply;
  if (failure.kind === 'gone') return { kind: 'missing' };
  if (failure.kind === 'refused' || (failure.kind === 'unknown' && failure.at === undefined))
    return { kind: 'unread', why: failure.why };
  throw readError(failure);
}
