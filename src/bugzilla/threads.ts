/**
 * Reading the comments of many bugs in few requests. One bug that cannot be read fails the whole request, so a batch
 * that fails is halved until that bug stands alone, and is left out. `new_since` excludes its own second, and several
 * comments may share one; and like a bug's, a comment's time is taken before it is committed. So it is asked a minute
 * early, and what repeats is recognised by its id.
 */
import type { Comment } from '../model/item.ts';
import type { Thread, ThreadAsk } from '../model/replica.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, isUnreachable, type TrackerError } from './errors.ts';
import { commentOf } from './map.ts';
import { commentsSchema } from './schema.ts';
import { trackerTime } from './search.ts';

const batchSize = 50;
/** Apache refuses an address above about 8 KB; the path and the key need some of it. */
const queryBytesMax = 5500;
const graceMs = 60_000;

export interface ThreadSource {
  readonly client: TrackerClient;
  readonly url: string;
  readonly warn: (message: string) => void;
  /** Whether answers are dated by the clock that stamps comments. */
  isClockKnown(): boolean;
  /** That clock, for answers that did not bring it. */
  serverNow(): Promise<number>;
}

export async function readThreads(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const isWhole = (ask: ThreadAsk): boolean => ask.sinceAt === null;
  const groups = [asks.filter(isWhole), asks.filter((ask) => !isWhole(ask))];
  const threads: Thread[] = [];
  for (const batch of groups.flatMap(batches)) threads.push(...(await readBatch(source, batch)));
  return threads;
}

/** A bug asked for twice is answered once, as whole as the first asking wants it. */
function batches(asks: readonly ThreadAsk[]): readonly (readonly ThreadAsk[])[] {
  const unique = [...new Map(asks.map((ask) => [ask.ref, ask])).values()];
  const parts: ThreadAsk[][] = [];
  for (const ask of unique) {
    const part = parts.at(-1);
    const fits = part !== undefined && part.length < batchSize && queryLength(queryOf([...part, ask])) < queryBytesMax;
    if (fits) part.push(ask);
    else parts.push([ask]);
  }
  return parts;
}

async function readBatch(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  try {
    return await request(source, asks);
  } catch (failure) {
    if (!isAboutOneBug(failure)) throw failure;
    if (asks.length === 1) return readAlone(source, asks, failure);
    const middle = Math.ceil(asks.length / 2);
    const first = await readBatch(source, asks.slice(0, middle));
    return [...first, ...(await readBatch(source, asks.slice(middle)))];
  }
}

/** That a bug is hidden or missing is certain; an inner failure may have been a bad moment and is tried once more. */
async function readAlone(source: ThreadSource, asks: readonly ThreadAsk[], failure: TrackerError): Promise<readonly Thread[]> {
  if (isUnreachable(failure)) return [];
  try {
    return await request(source, asks);
  } catch (again) {
    if (!isAboutOneBug(again)) throw again;
    source.warn(`the comments of bug ${asks[0]?.ref} are left out, because the tracker cannot show them: ${again.message}`);
    return [];
  }
}

const isAboutOneBug = (failure: unknown): failure is TrackerError => isUnreachable(failure) || isPoison(failure);

async function request(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const first = asks[0];
  if (first === undefined) return [];
  const answer = await source.client.read(['bug', first.ref, 'comment'], queryOf(asks), commentsSchema);
  const answeredAt = source.isClockKnown() ? (answer.readAt ?? (await source.serverNow())) : null;
  return asks.flatMap((ask) => {
    const found = answer.body.bugs[String(ask.ref)];
    if (found === undefined) return [];
    const comments = found.comments.map((comment) => commentOf(comment, ask.ref, source.url));
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
