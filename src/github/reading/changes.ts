import * as z from 'zod';
import type { Comment, Issue } from '../../model/item.ts';
import { SideError } from '../../model/outcome.ts';
import type { Changes } from '../../model/replica.ts';
import type { Answer } from '../connection/client.ts';
import { answered, type Repository } from '../repository.ts';
import { commentsFeed, type Feed, type FeedPage, issuesFeed, newestPath, type Row, readPage } from './feed.ts';
import { ascend, type Position, type Step, startOf } from './list.ts';
import { confirmOn } from './probe.ts';

/**
 * Polls two lists, newest change first, at addresses that never vary: while nothing changes, both answer 304, which is free. If a list
 * has changed, its first page is read; if that page does not reach back to the covered changes, everything since then is walked from
 * the oldest on, which loses nothing.
 *
 * Each list is covered up to the timestamps it has shown: their clock may differ from that of the `Date` header by any amount, and a
 * change between the reads of the two lists is still news to the first. The header's clock only measures how long ago a timestamp was
 * first shown: once that exceeds the possible delay of a change, everything as old as that timestamp is settled and never read again,
 * so that the changes of one minute do not fill the pages of the next.
 */
const standSchema = z.object({
  /** The newest change in the list so far, including pull requests; null while it was empty. Never decreases. */
  sinceAt: z.number().nullable(),
  /** Of the first page; stored together with a position that covers that page. */
  etag: z.string().nullable(),
  /**
   * Id and time of change of the rows near the newest when the cursor began, as far back as each list may lag: a full listing at that time
   * returns them too, so they are not news.
   */
  old: z.array(z.tuple([z.number(), z.number()])),
  /** When `sinceAt` was first shown, by the clock of the `Date` header; null while that is null. */
  shownAt: z.number().nullable(),
  /** All changes up to this time are finally covered; null before there are any. Never later than `sinceAt`. */
  settledAt: z.number().nullable(),
  /** Whether the first page reached back past everything that may still appear late, so that "unchanged" covers all of it. */
  isReached: z.boolean(),
});
type Stand = z.infer<typeof standSchema>;
const cursorSchema = z.object({ issues: standSchema, comments: standSchema });
type Cursor = z.infer<typeof cursorSchema>;

/** How late a change may appear in a list, after another with a later time. */
const overlapMs = 60_000;
/** A guard against endless paging; 1,000,000 changes. */
const stepsMax = 10_000;

const nowhere: Stand = { sinceAt: null, etag: null, old: [], shownAt: null, settledAt: null, isReached: false };

/** @throws SideError */
export async function changes(repository: Repository, text: string | null): Promise<Changes<Issue>> {
  if (text === null) return beginning(repository);
  const cursor = cursorSchema.parse(JSON.parse(text));
  const issues = await pollFeed(repository, issuesFeed, cursor.issues);
  const comments = await pollFeed(repository, commentsFeed, cursor.comments);
  return {
    items: issues.items,
    comments: comments.items,
    readAt: Math.min(issues.readAt, comments.readAt),
    cursor: JSON.stringify({ issues: issues.stand, comments: comments.stand } satisfies Cursor),
  };
}

async function beginning(repository: Repository): Promise<Changes<Issue>> {
  const issues = await begin(repository, issuesFeed);
  const comments = await begin(repository, commentsFeed);
  const cursor: Cursor = { issues: issues.stand, comments: comments.stand };
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
  const answer = answered(await repository.client.send({ method: 'GET', path, cost: 'read', about }), about);
  const page = readPage(feed, repository, { path, answer });
  const { rows } = page;
  const { readAt } = answer;
  if (feed.name === 'issues' && rows.length === 0) await confirmOn(repository);
  const stand = standAfter(nowhere, { rows, page, answer });
  const edgeAt = edgeOf(stand);
  const isLate = ({ changedAt }: Row<T>): boolean => changedAt >= readAt - overlapMs;
  const old = rows.filter((row) => row.changedAt >= edgeAt && !isLate(row));
  // "Unchanged" would hide what the next poll must return again.
  const etag = rows.some(isLate) ? null : stand.etag;
  return { stand: { ...stand, etag, old: old.map(({ id, changedAt }) => [id, changedAt]) }, readAt };
}

interface Polled<T> extends Begun {
  readonly items: readonly T[];
}

async function pollFeed<T extends Issue | Comment>(repository: Repository, feed: Feed<T>, stand: Stand): Promise<Polled<T>> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = newestPath(feed, repository);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about, etag: stand.etag });
  if (reply.kind === 'unchanged') {
    const settledAt = stand.isReached ? settledBy(stand, reply.readAt) : stand.settledAt;
    return { items: [], stand: { ...stand, settledAt }, readAt: reply.readAt };
  }
  const answer = answered(reply, about);
  const page = readPage(feed, repository, { path, answer });
  const hasShrunk = page.rows.every(({ changedAt }) => changedAt < (stand.sinceAt ?? Number.NEGATIVE_INFINITY));
  if (feed.name === 'issues' && hasShrunk) await confirmOn(repository);
  const edgeAt = edgeOf(stand);
  const older = isReachedBy(page, edgeAt) ? [] : await walk(repository, feed, stand.sinceAt === null ? null : edgeAt, page.rows);
  const old = new Map(stand.old);
  const latest = new Map<number, Row<T>>();
  for (const row of [...page.rows, ...older]) {
    if (row.changedAt >= edgeAt && old.get(row.id) !== row.changedAt) latest.set(row.id, row);
  }
  const rows = [...latest.values()].sort((one, other) => one.changedAt - other.changedAt || one.id - other.id);
  return {
    items: rows.flatMap((row) => (row.item === null ? [] : [row.item])),
    stand: standAfter(stand, { rows, page, answer }),
    readAt: answer.readAt,
  };
}

interface Reading<T> {
  /** All news. */
  readonly rows: readonly Row<T>[];
  /** The first page. */
  readonly page: FeedPage<T>;
  readonly answer: Answer;
}

function standAfter<T>(stand: Stand, { rows, page, answer }: Reading<T>): Stand {
  const newestAt = rows.reduce((at, { changedAt }) => Math.max(at, changedAt), stand.sinceAt ?? Number.NEGATIVE_INFINITY);
  const sinceAt = newestAt === Number.NEGATIVE_INFINITY ? null : newestAt;
  const shownAt = sinceAt === stand.sinceAt ? stand.shownAt : answer.readAt;
  const after = { sinceAt, shownAt, settledAt: settledBy(stand, answer.readAt), etag: etagOf(answer.headers['etag']) };
  const edgeAt = edgeOf(after);
  return { ...after, old: stand.old.filter(([, changedAt]) => changedAt >= edgeAt), isReached: isReachedBy(page, edgeAt) };
}

/** The time that reading everything since the edge settles: it was shown so long ago that nothing as old can still appear. */
const settledBy = ({ sinceAt, shownAt, settledAt }: Stand, readAt: number): number | null =>
  shownAt !== null && readAt - shownAt >= overlapMs ? sinceAt : settledAt;

/** The time from which rows are news. */
function edgeOf({ sinceAt, settledAt }: Pick<Stand, 'sinceAt' | 'settledAt'>): number {
  const overlapAt = (sinceAt ?? Number.NEGATIVE_INFINITY) - overlapMs;
  return settledAt === null ? overlapAt : Math.max(overlapAt, settledAt + 1);
}

const isReachedBy = <T>({ next, rows }: FeedPage<T>, edgeAt: number): boolean =>
  next === null || rows.some(({ changedAt }) => changedAt < edgeAt);

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
    if (steps >= stepsMax) throw new SideError('refused', `The list of ${feed.name} of ${repository.name} does not end.`);
    const step: Step<T> = await ascend(repository, feed, position);
    rows.push(...step.rows);
    position = step.rows.some(isMet) ? null : step.next;
  }
  return rows;
}

const etagOf = (header: string | number | undefined): string | null => (header === undefined ? null : String(header));
