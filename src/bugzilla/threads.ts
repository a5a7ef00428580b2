/**
 * Reading the comments of many bugs in few requests. `new_since` excludes its own second, and several comments may share one;
 * and like a bug's, a comment's time is taken before it is committed. So it is asked a minute early, and what repeats is
 * recognised by its id.
 */
import type { Comment } from '../model/item.ts';
import type { Thread, ThreadAsk } from '../model/replica.ts';
import { queryBytesMax, readInBatches } from './batch.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison } from './errors.ts';
import { commentOf } from './map.ts';
import type { MarkdownUse } from './markdown.ts';
import { commentsSchema } from './schema.ts';
import { trackerTime } from './time.ts';

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
