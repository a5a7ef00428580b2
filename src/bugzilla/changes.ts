import { z } from 'zod';
import type { Bug, Comment } from '../model/item.ts';
import type { Changes, Thread, ThreadAsk } from '../model/replica.ts';
import type { Search } from './api/search.ts';
import { queryBytesMax, readInBatches } from './connection/batch.ts';
import { type Query, queryLength, type TrackerClient } from './connection/client.ts';
import { isPoison } from './connection/errors.ts';
import { serverNow } from './connection/hello.ts';
import { trackerTime } from './connection/value.ts';
import { commentOf } from './map.ts';
import type { MarkdownUse } from './markdown.ts';
import { changeTimesSchema, commentsSchema } from './schema.ts';

export interface ChangeSource {
  readonly client: TrackerClient;
  readonly search: Search;
  readonly product: string;
  /** Whether answers are dated by the clock that stamps bugs. */
  readonly isClockKnown: boolean;
}

/** Sorted in after the fact: a bug's time is taken before its change is committed, and replicas of the database lag. */
const overlapMs = 60_000;
/** How far the cursor stays behind the server's clock while nothing happens, as Bugzilla's own advice to pollers has it. */
const lagMs = 5 * 60_000;

const cursorSchema = z.object({ sinceAt: z.number() });
const cursorOf = (sinceAt: number): string => JSON.stringify({ sinceAt });

/** Nothing, and a cursor that stands at this moment, or at the newest change where the moment is not known. */
export async function startHere(source: ChangeSource): Promise<Changes<Bug>> {
  const readAt = source.isClockKnown ? await serverNow(source.client) : await newestChange(source);
  return { items: [], comments: [], readAt, cursor: cursorOf(readAt) };
}

/** A tracker that does not know this order names an older change, from which on only more is read. */
async function newestChange({ client, product }: ChangeSource): Promise<number> {
  const query = { product, order: 'changeddate DESC', limit: 1, include_fields: 'last_change_time' };
  const { body } = await client.read(['bug'], query, changeTimesSchema);
  return body.bugs[0]?.last_change_time ?? 0;
}

/**
 * The cursor moves to the newest change seen, but never past the moment at which the reading began: a bug on an early
 * page may change while later pages are read.
 */
export async function changesSince({ search, client, isClockKnown }: ChangeSource, cursor: string): Promise<Changes<Bug>> {
  const { sinceAt } = cursorSchema.parse(JSON.parse(cursor));
  const items: Bug[] = [];
  let page = await search.page(0, sinceAt - overlapMs);
  const readAt = page.readAt ?? (await serverNow(client));
  items.push(...page.bugs);
  while (page.next !== null) {
    page = await search.page(page.next, sinceAt - overlapMs);
    items.push(...page.bugs);
  }
  const newestAt = items.reduce((newest, bug) => Math.max(newest, bug.changedAt), sinceAt);
  if (isClockKnown) {
    return { items, comments: [], readAt, cursor: cursorOf(Math.max(sinceAt, Math.min(newestAt, readAt), readAt - lagMs)) };
  }
  // A strange clock still tells how long the reading took. It ended after the newest change, so it began at most that much before.
  const tookMs = Math.max(0, (page.readAt ?? readAt) - readAt);
  const knownAt = Math.max(sinceAt, newestAt - tookMs);
  return { items, comments: [], readAt: knownAt, cursor: cursorOf(knownAt) };
}

/**
 * Reading the comments of many bugs in few requests. `new_since` excludes its own second, and several comments may share one;
 * and like a bug's, a comment's time is taken before it is committed. So it is asked a minute early, and what repeats is
 * recognised by its id.
 */

/** Of whole threads, so that answers stay small enough to be stored one by one; of those that most likely hold nothing new. */
const [wholeBatch, recentBatch] = [200, 400];
const graceMs = 60_000;

export interface ThreadSource {
  readonly client: TrackerClient;
  readonly url: string;
  readonly warn: (message: string) => void;
  /** Whether answers are dated by the clock that stamps comments. */
  isClockKnown(): boolean;
  /** What hello found out; absent where only the words count. */
  readonly markdownUse?: () => MarkdownUse;
  /** That clock, for answers that did not bring it. */
  serverNow(): Promise<number>;
}

export async function readThreads(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const isWhole = (ask: ThreadAsk): boolean => ask.sinceAt === null;
  // Those of a batch are all asked from its earliest time on, so that similar times belong together.
  const recent = asks.filter((ask) => !isWhole(ask)).toSorted((one, other) => (one.sinceAt ?? 0) - (other.sinceAt ?? 0));
  return [...(await readBatches(source, asks.filter(isWhole), wholeBatch)), ...(await readBatches(source, recent, recentBatch))];
}

/** A bug asked for twice is answered once, as whole as the first asking wants it. */
function readBatches(source: ThreadSource, asks: readonly ThreadAsk[], batchSize: number): Promise<readonly Thread[]> {
  const unique = [...new Map(asks.map((ask) => [ask.ref, ask])).values()];
  return readInBatches(
    {
      fits: (part) => part.length <= batchSize && queryLength(queryOf(part)) < queryBytesMax,
      request: (part) => request(source, part),
      leaveOut: ({ ref }, failure) => {
        if (!isPoison(failure)) return;
        source.warn(`the comments of bug ${ref} are left out, because the tracker cannot show them: ${failure.message}`);
      },
    },
    unique,
  );
}

async function request(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const first = asks[0];
  if (first === undefined) return [];
  const answer = await source.client.read(['bug', first.ref, 'comment'], queryOf(asks), commentsSchema);
  const answeredAt = source.isClockKnown() ? (answer.readAt ?? (await source.serverNow())) : null;
  return asks.flatMap((ask) => {
    const found = answer.body.bugs[String(ask.ref)];
    if (found === undefined) return [];
    const comments = found.comments.map((comment) => commentOf(comment, ask.ref, source.url, source.markdownUse?.()));
    const readAt = answeredAt ?? newestOf(comments, ask);
    return [{ ref: ask.ref, isWhole: ask.sinceAt === null, comments: comments.filter((comment) => isWanted(comment, ask)), readAt }];
  });
}

/** Without a clock to go by, a thread is known to be read as far as its newest comment. */
const newestOf = (comments: readonly Comment[], { sinceAt }: ThreadAsk): number =>
  comments.reduce((newest, { createdAt }) => Math.max(newest, createdAt), sinceAt ?? 0);

/** The first bug stands in the path, the others join it. */
function queryOf(asks: readonly ThreadAsk[]): Query {
  const times = asks.flatMap((ask) => (ask.sinceAt === null ? [] : [ask.sinceAt]));
  const since = times.length === 0 ? {} : { new_since: trackerTime(Math.max(0, Math.min(...times) - graceMs)) };
  return { ids: asks.slice(1).map((ask) => ask.ref), ...since };
}

/** A batch is asked from its earliest time on; each bug gets only what it asked for. */
const isWanted = (comment: Comment, ask: ThreadAsk): boolean => ask.sinceAt === null || comment.createdAt > ask.sinceAt - graceMs;
