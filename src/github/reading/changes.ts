import * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { Changes } from '../../model/replica.ts';
import { noContent, readError } from '../connection/failure.ts';
import { confirmOn, type Repository } from '../repository.ts';
import { type Branch, type BranchRead, branchSchema, readBranch } from './commits.ts';
import { commentsFeed, type Feed, issuesFeed, newestPath, type Row, wholeSeconds } from './feed.ts';
import { ascend, type Position, positionSchema, type Step, startOf } from './list.ts';
import { namesSchema, renamed } from './names.ts';
import { pageOf } from './read-apart.ts';
import {
  aheadMaxMs,
  type Begun,
  brokenAfter,
  broughtBack,
  edgeBefore,
  isBrokenDue,
  isLookDue,
  isOld,
  isReachedBy,
  keyOf,
  knownSumIn,
  lagMaxMs,
  lowest,
  newestOf,
  type Polled,
  polled,
  type Stand,
  settled,
  standSchema,
} from './stand.ts';

/**
 * Polls two lists, newest change first, at addresses that never vary: while nothing changes, both answer 304, which is
 * free. If a list has changed, its first page is read; if that page does not reach back to the changes of the last
 * poll, everything since then is walked from the oldest on.
 *
 * A list may show a change minutes after later ones. So the cursor remembers the rows of that time: whatever else
 * appears among them is news. They usually fit on the first page, which is read anyway. Where they do not, they are
 * walked once in ten minutes, until ten minutes have passed since the last change.
 *
 * Each list is covered up to the timestamps it has shown: their clock may differ from that of the `Date` header by any
 * amount, and a change between the reads of the two lists is still news to the first. The header's clock only measures
 * durations.
 *
 * If GitHub fails on a change, and with it on the first page, that page is read in parts, which takes some twelve
 * requests. So from then on, the list is asked for later changes only, and for all less and less often; the first times
 * cover what it shows late.
 *
 * What is more than a poll reads is left to the next ones, which read what is new first, so that it never waits.
 */
const cursorSchema = z.object({
  issues: standSchema,
  comments: standSchema,
  /** From where each list is still to be read up to its end; null for nowhere. */
  rest: z
    .object({ issues: positionSchema.nullable(), comments: positionSchema.nullable() })
    .default({ issues: null, comments: null }),
  names: namesSchema.nullable().default(null),
  commits: branchSchema.nullable().default(null),
});
type Cursor = z.infer<typeof cursorSchema>;

/** So many steps one poll takes: a list that never ends must not keep a cycle, nor fill the memory. */
const stepsPerPoll = 30;

/** The branch whose commits are read, null for the default one. */
export interface CommitSource {
  readonly branch: string | null;
}

/** @throws SideError */
export async function changes(
  repository: Repository,
  text: string | null,
  isRenamed: boolean,
  source: CommitSource | null = null,
): Promise<Changes<Issue>> {
  if (text === null) return beginning(repository, source);
  const cursor = cursorSchema.parse(JSON.parse(text));
  const issues = await pollWithRest(repository, issuesFeed, cursor.issues, cursor.rest.issues);
  const comments = await pollWithRest(repository, commentsFeed, cursor.comments, cursor.rest.comments);
  const readAt = Math.min(issues.readAt, comments.readAt);
  const look = await renamed(repository, cursor.names, readAt, isRenamed);
  const { branch, push } = await commitsOf(repository, source, cursor.commits);
  return {
    items: [...issues.items, ...look.issues],
    failed: [...issues.failed, ...comments.failed, ...look.failed],
    comments: comments.items,
    pulls: issues.pulls,
    push,
    readAt,
    hasMore: issues.rest !== null || comments.rest !== null,
    cursor: JSON.stringify({
      issues: issues.stand,
      comments: comments.stand,
      rest: { issues: issues.rest, comments: comments.rest },
      names: look.names,
      commits: branch,
    } satisfies Cursor),
  };
}

/** Commits come after the issues that they close: then the closing is known when its commit is. */
const commitsOf = async (
  repository: Repository,
  source: CommitSource | null,
  known: Branch | null,
): Promise<BranchRead> =>
  source === null ? { branch: null, push: null } : readBranch(repository, source.branch, known);

async function beginning(repository: Repository, source: CommitSource | null): Promise<Changes<Issue>> {
  const issues = await begin(repository, issuesFeed);
  const comments = await begin(repository, commentsFeed);
  const { branch } = await commitsOf(repository, source, null);
  const rest = { issues: null, comments: null };
  const cursor: Cursor = { issues: issues.stand, comments: comments.stand, rest, names: null, commits: branch };
  return { items: [], comments: [], readAt: Math.min(issues.readAt, comments.readAt), cursor: JSON.stringify(cursor) };
}

async function begin<T>(repository: Repository, feed: Feed<T>): Promise<Begun> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = newestPath(feed, repository);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
  if (reply.kind === 'unchanged') throw readError(noContent(about));
  const { page, answer } = await pageOf({ repository, feed, path }, reply);
  const { rows } = page;
  const { readAt } = answer;
  if (feed.name === 'issues' && rows.length === 0) await confirmOn(repository);
  const sinceAt = newestOf(rows, readAt, null);
  const edgeAt = edgeBefore(sinceAt);
  const isReached = isReachedBy(page, edgeAt);
  const isLate = ({ changedAt }: Row<T>): boolean => changedAt >= readAt - lagMaxMs;
  const known = rows.filter((row) => row.changedAt >= lowest(edgeAt) && !isLate(row)).map(keyOf);
  // "Unchanged" would hide what the next poll must return again.
  const etag = rows.some(isLate) ? null : etagOf(answer.headers['etag']);
  return {
    stand: {
      ...{ sinceAt, etag, edgeAt, known, isReached },
      shownAt: sinceAt === null ? null : readAt,
      lookedAt: null,
      broken: null,
    },
    readAt,
  };
}

/** A poll, and from where older changes are still to be read; null if all were. */
type Poll<T> = Polled<T> & { readonly rest?: Position | null };
type WithRest<T> = Polled<T> & { readonly rest: Position | null };

/** @param known what earlier polls left: it goes up to the end of the list, and so has what this one leaves as well */
async function pollWithRest<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
  known: Position | null,
): Promise<WithRest<T>> {
  const news = await pollFeed(repository, feed, stand);
  if (known === null) return { ...news, rest: news.rest ?? null };
  const { rows, rest } = await walk(repository, feed, known, []);
  return {
    ...news,
    items: [...rows.flatMap(({ item }) => item ?? []), ...news.items],
    failed: [...rows.flatMap(({ failed }) => failed ?? []), ...news.failed],
    pulls: [...rows.flatMap(({ pull }) => pull ?? []), ...news.pulls],
    rest,
  };
}

async function pollFeed<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
): Promise<Poll<T>> {
  const { broken } = stand;
  if (broken === null) return pollNewest(repository, feed, stand);
  const later = await pollLater(repository, feed, stand, broken.at);
  if (later !== null && !isBrokenDue(broken, later.readAt)) return later;
  return pollNewest(repository, feed, { ...stand, etag: null }).catch((failure: unknown) => {
    const isOfPage = failure instanceof SideError && failure.kind === 'later' && failure.at === null;
    if (later === null || !isOfPage) throw failure;
    return { ...later, stand: { ...later.stand, broken: brokenAfter(stand, broken.at, later.readAt) } };
  });
}

/** What changed after this change on which GitHub fails; null if that would no longer be on the first page. */
async function pollLater<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
  at: number,
): Promise<Polled<T> | null> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = `${newestPath(feed, repository)}&since=${wholeSeconds(at + 1_000)}`;
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: stand.etag });
  if (reply.kind === 'unchanged') return { items: [], failed: [], pulls: [], stand, readAt: reply.readAt };
  const { page, answer, brokenAt } = await pageOf({ repository, feed, path, knownSum: knownSumIn(stand) }, reply);
  const { readAt } = answer;
  if (page.next !== null) return null;
  if (feed.name === 'issues' && page.rows.length === 0) await confirmOn(repository);
  const isSame = brokenAt === undefined;
  return polled(stand, {
    ...{ rows: page.rows, page, readAt, isWhole: false },
    etag: isSame ? etagOf(answer.headers['etag']) : null,
    broken: isSame ? stand.broken : brokenAfter(stand, brokenAt, readAt),
  });
}

async function pollNewest<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
): Promise<Poll<T>> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = newestPath(feed, repository);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: stand.etag });
  if (reply.kind === 'unchanged') return unchanged(repository, feed, stand, reply.readAt);
  const { page, answer, brokenAt } = await pageOf({ repository, feed, path, knownSum: knownSumIn(stand) }, reply);
  const { readAt } = answer;
  if (lowest(stand.sinceAt) > readAt + aheadMaxMs) return pollFeed(repository, feed, broughtBack(stand, readAt));
  const hasShrunk = page.rows.every(({ changedAt }) => changedAt < lowest(stand.sinceAt));
  if (feed.name === 'issues' && hasShrunk) await confirmOn(repository);
  const isReached = isReachedBy(page, stand.edgeAt);
  const isWhole = isReached || isLookDue(stand, readAt);
  const fromAt = isWhole ? stand.edgeAt : stand.sinceAt;
  const isGap = !isReached && (isWhole || page.rows.every(({ changedAt }) => changedAt > lowest(stand.sinceAt)));
  const older = isGap ? await walk(repository, feed, startOf(fromAt), page.rows) : { rows: [], rest: null };
  const etag = etagOf(answer.headers['etag']);
  const broken = brokenAfter(stand, brokenAt, readAt);
  const rows = [...page.rows, ...older.rows];
  return { ...polled(stand, { rows, page, readAt, etag, isWhole, broken }), rest: older.rest };
}

/** Rows below the first page may have appeared all the same. */
async function unchanged<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
  readAt: number,
): Promise<Poll<T>> {
  if (!stand.isReached && isLookDue(stand, readAt)) {
    const { rows, rest } = await walk(repository, feed, startOf(stand.edgeAt), []);
    return { ...polled(stand, { rows, page: null, readAt, etag: stand.etag, isWhole: true }), rest };
  }
  const isSettled = stand.isReached && isOld(stand, readAt);
  return { items: [], failed: [], pulls: [], stand: isSettled ? settled(stand) : stand, readAt };
}

/** From the oldest up to the first page; the page may begin within a second, whose other rows it does not show. */
async function walk<T>(
  repository: Repository,
  feed: Feed<T>,
  from: Position,
  newest: readonly Row<T>[],
): Promise<{ readonly rows: readonly Row<T>[]; readonly rest: Position | null }> {
  const oldestAt = Math.min(...newest.map(({ changedAt }) => changedAt));
  const isMet = ({ id, changedAt }: Row<T>): boolean =>
    changedAt > oldestAt && newest.some((row) => row.id === id && row.changedAt === changedAt);
  const rows: Row<T>[] = [];
  let rest: Position | null = from;
  for (let steps = 0; rest !== null && steps < stepsPerPoll; steps += 1) {
    const step: Step<T> = await ascend(repository, feed, rest);
    rows.push(...step.rows);
    rest = step.rows.some(isMet) ? null : step.next;
  }
  return { rows, rest };
}

const etagOf = (header: string | number | undefined): string | null => (header === undefined ? null : String(header));
