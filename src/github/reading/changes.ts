import * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { Pull } from '../../model/pulls/pull.ts';
import type { Changes, FailedItem } from '../../model/replica.ts';
import { noContent, readError } from '../connection/failure.ts';
import { confirmOn, type Repository } from '../repository.ts';
import { type Branch, type BranchRead, branchSchema, readBranch } from './commits.ts';
import { commentsFeed, type Feed, type FeedPage, issuesFeed, newestPath, type Row } from './feed.ts';
import { ascend, type Position, type Step, startOf } from './list.ts';
import { namesSchema, renamed } from './names.ts';
import { pageOf } from './read-apart.ts';

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
 */
const storedSchema = z.object({
  /** The newest change in the list so far, including pull requests; null while it was empty. Never decreases. */
  sinceAt: z.number().nullable(),
  /** Of the first page; stored together with a position that covers that page. */
  etag: z.string().nullable(),
  /** When `sinceAt` was first shown, by the clock of the `Date` header; null while that is null. */
  shownAt: z.number().nullable(),
  /** The time from which a row may still appear; null means from the beginning. Never decreases. */
  edgeAt: z.number().nullable().optional(),
  /**
   * Id, time of change and sum of the rows from `edgeAt` on that are no news: those of earlier polls, and those that a
   * full list shows.
   */
  known: z.array(z.tuple([z.number(), z.number(), z.number()])).default([]),
  /** When all rows from `edgeAt` on were last read, by the clock of the `Date` header; null for never. */
  lookedAt: z.number().nullable().default(null),
  /** Whether the first page reached back to `edgeAt`, so that "unchanged" covers all that may still appear. */
  isReached: z.boolean(),
});
/** Cursors of versions up to 0.1 have no edge. */
const standSchema = storedSchema.transform(({ edgeAt, ...rest }) => ({
  ...rest,
  edgeAt: edgeAt === undefined ? edgeBefore(rest.sinceAt) : edgeAt,
}));
type Stand = z.infer<typeof standSchema>;
const cursorSchema = z.object({
  issues: standSchema,
  comments: standSchema,
  names: namesSchema.nullable().default(null),
  commits: branchSchema.nullable().default(null),
});
type Cursor = z.infer<typeof cursorSchema>;

/** How late a list may show a change. */
const lagMaxMs = 600_000;
/** How far the clock of the stamps can be ahead of that of the `Date` header. */
const aheadMaxMs = 24 * 3_600_000;
/** A guard against endless paging; 1,000,000 changes. */
const stepsMax = 10_000;

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
  const issues = await pollFeed(repository, issuesFeed, cursor.issues);
  const comments = await pollFeed(repository, commentsFeed, cursor.comments);
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
    cursor: JSON.stringify({
      issues: issues.stand,
      comments: comments.stand,
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
  const cursor: Cursor = { issues: issues.stand, comments: comments.stand, names: null, commits: branch };
  return { items: [], comments: [], readAt: Math.min(issues.readAt, comments.readAt), cursor: JSON.stringify(cursor) };
}

interface Begun {
  readonly stand: Stand;
  /** When the first page was read, by the clock of the `Date` header. */
  readonly readAt: number;
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
    stand: { sinceAt, etag, shownAt: sinceAt === null ? null : readAt, edgeAt, known, lookedAt: null, isReached },
    readAt,
  };
}

interface Polled<T> extends Begun {
  readonly items: readonly T[];
  readonly failed: readonly FailedItem[];
  readonly pulls: readonly Pull[];
}

async function pollFeed<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
): Promise<Polled<T>> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = newestPath(feed, repository);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: stand.etag });
  if (reply.kind === 'unchanged') return unchanged(repository, feed, stand, reply.readAt);
  const { page, answer } = await pageOf({ repository, feed, path }, reply);
  const { readAt } = answer;
  if (lowest(stand.sinceAt) > readAt + aheadMaxMs) return pollFeed(repository, feed, broughtBack(stand, readAt));
  const hasShrunk = page.rows.every(({ changedAt }) => changedAt < lowest(stand.sinceAt));
  if (feed.name === 'issues' && hasShrunk) await confirmOn(repository);
  const isReached = isReachedBy(page, stand.edgeAt);
  const isWhole = isReached || isLookDue(stand, readAt);
  const fromAt = isWhole ? stand.edgeAt : stand.sinceAt;
  const isGap = !isReached && (isWhole || page.rows.every(({ changedAt }) => changedAt > lowest(stand.sinceAt)));
  const older = isGap ? await walk(repository, feed, fromAt, page.rows) : [];
  const etag = etagOf(answer.headers['etag']);
  return polled(stand, { rows: [...page.rows, ...older], page, readAt, etag, isWhole });
}

/**
 * A stamp that is far ahead of the date of the answer is wrong, and moves no cursor: it would pass over all changes
 * until then.
 */
const newestOf = (
  rows: readonly { readonly changedAt: number }[],
  readAt: number,
  from: number | null,
): number | null =>
  rows.reduce(
    (at, { changedAt }) => (changedAt > readAt + aheadMaxMs ? at : Math.max(at ?? changedAt, changedAt)),
    from,
  );

/** A cursor that such a stamp has moved nevertheless goes back as far as daily full comparisons leave out. */
function broughtBack(stand: Stand, readAt: number): Stand {
  const at = readAt - aheadMaxMs;
  return { ...stand, sinceAt: at, edgeAt: at, known: [], etag: null, shownAt: readAt, lookedAt: null };
}

/** Rows below the first page may have appeared all the same. */
async function unchanged<T extends Issue | Comment>(
  repository: Repository,
  feed: Feed<T>,
  stand: Stand,
  readAt: number,
): Promise<Polled<T>> {
  if (!stand.isReached && isLookDue(stand, readAt)) {
    const rows = await walk(repository, feed, stand.edgeAt, []);
    return polled(stand, { rows, page: null, readAt, etag: stand.etag, isWhole: true });
  }
  const isSettled = stand.isReached && isOld(stand, readAt);
  return { items: [], failed: [], pulls: [], stand: isSettled ? settled(stand) : stand, readAt };
}

interface Reading<T> {
  readonly rows: readonly Row<T>[];
  /** The first page; null if it is as it was. */
  readonly page: FeedPage<T> | null;
  readonly readAt: number;
  readonly etag: string | null;
  /** Whether all rows from the edge on were read. */
  readonly isWhole: boolean;
}

function polled<T>(stand: Stand, { rows, page, readAt, etag, isWhole }: Reading<T>): Polled<T> {
  const known = new Map(stand.known.map((key) => [key[0], key]));
  const latest = new Map<number, Row<T>>();
  for (const row of rows)
    if (isUnknownVersion(row, stand, known.get(row.id)) && !isOlder(row, latest.get(row.id))) latest.set(row.id, row);
  const news = [...latest.values()].sort((one, other) => one.changedAt - other.changedAt || one.id - other.id);
  for (const row of news) known.set(row.id, keyOf(row));
  const sinceAt = newestOf(news, readAt, stand.sinceAt);
  const finalAt = isWhole && isOld(stand, readAt) ? settled(stand).edgeAt : stand.edgeAt;
  const edgeAt = isWhole && sinceAt !== null ? Math.max(lowest(finalAt), sinceAt - lagMaxMs) : stand.edgeAt;
  const after: Stand = {
    sinceAt,
    etag,
    shownAt: sinceAt === stand.sinceAt ? stand.shownAt : readAt,
    edgeAt,
    known: [...known.values()].filter(([, changedAt]) => changedAt >= lowest(edgeAt)),
    lookedAt: isWhole ? readAt : stand.lookedAt,
    isReached: page === null ? edgeAt === lowest(sinceAt) + 1 : isReachedBy(page, edgeAt),
  };
  const items = news.flatMap(({ item }) => (item === null ? [] : [item]));
  const failed = news.flatMap((row) => row.failed ?? []);
  return { items, failed, pulls: news.flatMap(({ pull }) => pull ?? []), stand: after, readAt };
}

/** Nothing as old as the newest change can still appear. */
const settled = (stand: Stand): Stand =>
  stand.sinceAt === null ? stand : { ...stand, edgeAt: stand.sinceAt + 1, known: [] };

/** Whether the newest change was shown so long ago that nothing as old can still appear. */
const isOld = ({ shownAt }: Stand, readAt: number): boolean => shownAt !== null && readAt - shownAt >= lagMaxMs;

const isLookDue = ({ lookedAt }: Stand, readAt: number): boolean => lookedAt === null || readAt - lookedAt >= lagMaxMs;

const isReachedBy = <T>({ next, rows }: FeedPage<T>, edgeAt: number | null): boolean =>
  next === null || rows.some(({ changedAt }) => changedAt < lowest(edgeAt));

const edgeBefore = (sinceAt: number | null): number | null => (sinceAt === null ? null : sinceAt - lagMaxMs);

const lowest = (at: number | null): number => at ?? Number.NEGATIVE_INFINITY;

type Key = Stand['known'][number];

const keyOf = ({ id, changedAt, sum }: Row<unknown>): Key => [id, changedAt, sum];

/** An older version of a known row is what a replica shows that lags. */
function isUnknownVersion({ changedAt, sum }: Row<unknown>, { edgeAt }: Stand, known: Key | undefined): boolean {
  if (changedAt < lowest(edgeAt) || known === undefined) return changedAt >= lowest(edgeAt);
  return changedAt > known[1] || (changedAt === known[1] && sum !== known[2]);
}

const isOlder = (row: Row<unknown>, other: Row<unknown> | undefined): boolean =>
  other !== undefined && row.changedAt < other.changedAt;

/** From the oldest up to the first page; the page may begin within a second, whose other rows it does not show. */
async function walk<T>(
  repository: Repository,
  feed: Feed<T>,
  sinceAt: number | null,
  newest: readonly Row<T>[],
): Promise<readonly Row<T>[]> {
  const oldestAt = Math.min(...newest.map(({ changedAt }) => changedAt));
  const isMet = ({ id, changedAt }: Row<T>): boolean =>
    changedAt > oldestAt && newest.some((row) => row.id === id && row.changedAt === changedAt);
  const rows: Row<T>[] = [];
  let position: Position | null = startOf(sinceAt);
  for (let steps = 0; position !== null; steps += 1) {
    if (steps >= stepsMax)
      throw new SideError('refused', `The list of ${feed.name} of ${repository.name} does not end.`);
    const step: Step<T> = await ascend(repository, feed, position);
    rows.push(...step.rows);
    position = step.rows.some(isMet) ? null : step.next;
  }
  return rows;
}

const etagOf = (header: string | number | undefined): string | null => (header === undefined ? null : String(header));
