import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import { type IssuePlace, SideError } from '../../model/outcome.ts';
import { type Account, isLogin } from '../../model/people.ts';
import type { MadeSince } from '../../model/replica.ts';
import type { Answer } from '../connection/client.ts';
import { noContent, readError, whyOf } from '../connection/failure.ts';
import { actorFields, actorSchema, askGraphql } from '../connection/graphql.ts';
import { nextPage } from '../connection/paging.ts';
import { issueSchema, mapAnswer, readAnswer, toIssue } from '../map.ts';
import { answered, get, type Repository } from '../repository.ts';
import { type Beginning, lastMadeBefore } from './named-rows.ts';
import { failureOf, greetingOf, isOfOne } from './single-rows.ts';

/**
 * So many consecutive numbers without an issue count as the end; smaller gaps are numbers deleted, transferred, or
 * never assigned.
 */
const missesMax = 5;

/** How many numbers one call reads one by one, and how long: GitHub may let each failure wait. */
const [looksMax, patienceMs] = [500, 45_000];

/** A guard against endless paging. */
const pagesMax = 1_000;

/**
 * Issues created since `sinceAt`, except those that `isKnown`. Lists lag, at times by minutes; reading an issue by its
 * number does not. Issues and pull requests share one sequence. So the newest list gives the last number from before,
 * and later numbers that it does not show are read one by one, until several in a row are missing.
 * @param sinceAt epoch milliseconds, by our clock
 * @param own our account: what others opened need not be read
 * @throws SideError
 */
export async function madeSince(
  repository: Repository,
  sinceAt: number,
  isKnown: (number: number) => boolean,
  own: Account | null = null,
): Promise<MadeSince> {
  const { passed } = repository;
  const { last, later, theirSinceAt } = await newest(repository, sinceAt);
  const [issues, unread, moved]: [Issue[], string[], { number: number; place: IssuePlace }[]] = [[], [], []];
  const top = Math.max(last, ...later.keys());
  const untilAt = repository.client.now() + patienceMs;
  for (let number = last + 1, misses = 0, looks = 0; number <= top || misses < missesMax; number += 1) {
    let seen: Candidate | undefined = isKnown(number) || passed.has(number) ? { kind: 'passed' } : later.get(number);
    if (seen === undefined) {
      if (looks === looksMax || (looks > 0 && repository.client.now() > untilAt))
        return { issues, unread, moved, isWhole: false };
      looks += 1;
      seen = await lookAt(repository, number);
      // A number below the newest is never given to an issue again.
      if (number < top && (seen.kind === 'passed' || seen.kind === 'missing')) passed.add(number);
    }
    if (seen.kind === 'unread' && own !== null && (await isOfOthers(repository, number, own))) {
      seen = { kind: 'passed' };
      passed.add(number);
    }
    if (seen.kind === 'issue' && seen.issue.createdAt >= theirSinceAt) issues.push(seen.issue);
    if (seen.kind === 'unread') unread.push(seen.why);
    if (seen.kind === 'moved') moved.push({ number, place: seen.place });
    misses = seen.kind === 'missing' || seen.kind === 'unread' ? misses + 1 : 0;
  }
  passed.clear();
  return { issues, unread, moved, isWhole: true };
}

/**
 * The item behind a number.
 *
 *   issue    an issue
 *   passed   a pull request, or an issue that is already known
 *   moved    an issue that people transferred
 *   missing  deleted, or not created yet
 *   unread   GitHub does not show it
 */
type Candidate =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'passed' | 'missing' }
  | { readonly kind: 'moved'; readonly place: IssuePlace }
  | { readonly kind: 'unread'; readonly why: string };

function candidateOf({ client }: Repository, answer: Answer, about: string): Candidate {
  const mapped = mapAnswer(client.rows, { schema: issueSchema, map: toIssue }, answer, about);
  if (mapped.kind === 'failed') return { kind: 'unread', why: whyOf(mapped.failure) };
  return mapped.value === null ? { kind: 'passed' } : { kind: 'issue', issue: mapped.value };
}

const openedSchema = z.object({ issue: z.object({ author: actorSchema }) });

/**
 * Whether GraphQL, which does not ask for what GitHub fails on, says that somebody else opened the issue. Source:
 * docs.github.com, GraphQL reference, `Issue.author`.
 */
async function isOfOthers(repository: Repository, number: number, own: Account): Promise<boolean> {
  const [owner, name] = repository.name.split('/').map((part) => JSON.stringify(part));
  const query = `query { repository(owner: ${owner}, name: ${name}) {
    issue(number: ${number}) { author { ${actorFields} } } } }`;
  const reply = await askGraphql(repository.client, query, 'read', `read who opened ${repository.name}#${number}`);
  const said = openedSchema.safeParse(reply.kind === 'failed' ? null : reply.data['repository']);
  return said.success && !isLogin(said.data.issue.author, own.login);
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
  z.looseObject({ number: issueSchema.shape.number, created_at: issueSchema.shape.created_at }),
);

/**
 * GET /repos/{owner}/{repo}/issues, newest first, down to those created before. If that takes long, GraphQL names the
 * last one that was, and the later ones are read by their numbers, in the time of each call.
 */
async function newest(repository: Repository, sinceAt: number): Promise<Newest> {
  const { client, path: home, pageSize, name } = repository;
  const about = `list the newest issues of ${name}`;
  const later = new Map<number, Candidate>();
  const untilAt = client.now() + patienceMs;
  const beginningAt = ({ last, aheadMs }: Beginning): Newest => ({ last, later, theirSinceAt: sinceAt + aheadMs });
  let theirSinceAt = sinceAt;
  let path: string | null = `${home}/issues?state=all&sort=created&direction=desc&per_page=${pageSize}`;
  for (let pages = 0; path !== null; pages += 1) {
    const isLong = pages > 0 && client.now() > untilAt;
    const atOnce = isLong ? await lastMadeBefore(repository, sinceAt) : null;
    if (atOnce !== null) return beginningAt(atOnce);
    if (isLong || pages === pagesMax)
      throw new SideError('later', `The list of the newest issues of ${name} does not end, or not in time.`);
    const reply = await client.send({ method: 'GET', path, cost: 'read', about });
    const failure = failureOf(reply, about);
    // It may fail on one of them. Those that it does not show are read by their numbers.
    const isOfRow = failure !== null && isOfOne(failure) && (await greetingOf(repository)) !== null;
    const named = isOfRow ? await lastMadeBefore(repository, sinceAt) : null;
    if (named !== null) return beginningAt(named);
    const answer = answered(reply, about);
    const rows = readAnswer(rowsSchema, answer, about);
    theirSinceAt = sinceAt + answer.readAt - client.now();
    const last = rows.find(({ created_at: at }) => at < theirSinceAt);
    const isNews = rows.some(({ number }) => !later.has(number));
    const wires = z.array(z.unknown()).parse(answer.data);
    for (const [index, { number }] of (last === undefined ? rows : rows.slice(0, rows.indexOf(last))).entries())
      later.set(number, candidateOf(repository, { ...answer, data: wires[index] }, `read ${name}#${number}`));
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
  if (reply.kind === 'answered') return candidateOf(repository, reply, about);
  const { failure } = reply;
  const place = failure.kind === 'gone' ? failure.gone.place : undefined;
  if (place !== undefined) return { kind: 'moved', place };
  if (failure.kind === 'gone') return { kind: 'missing' };
  if (failure.kind === 'refused' || (failure.kind === 'unknown' && failure.at === undefined))
    return { kind: 'unread', why: failure.why };
  throw readError(failure);
}
