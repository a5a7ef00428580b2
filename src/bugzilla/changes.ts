/** What changed on the tracker: bugs by a search in pages, and the comments of many bugs in few requests. */

import { z } from 'zod';
import type { Bug, Comment } from '../model/item.ts';
import { isLogin } from '../model/people.ts';
import type { Changes, FailedItem, Thread, ThreadAsk } from '../model/replica.ts';
import type { InTime } from '../model/runtime.ts';
import { type Kept, nothingKept } from '../model/survey.ts';
import { trackerTime } from './connection/answer.ts';
import { type Query, queryLength, type TrackerClient } from './connection/client.ts';
import { isPoison } from './connection/errors.ts';
import { serverNow } from './connection/hello.ts';
import { type Found, foundIn, queryBytesMax, readInBatches } from './connection/read-apart.ts';
import { createKeyset } from './connection/read-many.ts';
import { assertOf, bugRow, commentRow, mappedOrNone, mapping, row } from './connection/rows.ts';
import { type CharacterSupport, commentOf, detailedBug, type Extras, extraFields, read } from './map.ts';
import type { MarkdownUse } from './markdown.ts';
import { bugFields, bugSchema, changeTimesSchema, commentsIn } from './schema.ts';

interface ChangeSource {
  readonly client: TrackerClient;
  readonly search: Search;
  readonly product: string;
  /** Whether the dates of answers use the clock of the timestamps of bugs. */
  readonly isClockKnown: boolean;
}

/** Changes may appear late: the time of a change is taken before its commit, and replicas of the database lag. */
const overlapMs = 60_000;
/** How far the cursor stays behind the server's clock while nothing happens, as Bugzilla advises pollers. */
const lagMs = 5 * 60_000;
/** How far a cursor that is ahead goes back: as far as daily full comparisons leave out. */
const backMs = 24 * 3_600_000;

/** So many pages of changes one poll reads: a change of all bugs at once must not keep a cycle for minutes. */
const pagesPerPoll = 30;

/** Changes since a moment of bugs with ids above this one, which no poll has read yet. */
const restSchema = z.object({ sinceAt: z.number(), after: z.number() });
type Rest = z.infer<typeof restSchema>;

const cursorSchema = z.object({ sinceAt: z.number(), rest: restSchema.optional() });
const cursorOf = (sinceAt: number, rest?: Rest): string =>
  JSON.stringify({ sinceAt, ...(rest === undefined ? {} : { rest }) });

/** No items, and a cursor at the current moment, or at the newest change if the moment is unknown. */
export async function startHere(source: ChangeSource): Promise<Changes<Bug>> {
  const readAt = source.isClockKnown ? await serverNow(source.client) : await newestChange(source);
  return {
    items: [],
    comments: [],
    readAt,
    cursor: cursorOf(readAt),
    ...(source.isClockKnown ? {} : { hasClock: false }),
  };
}

/** A tracker that ignores this order returns an older change; reading from there only reads more. */
async function newestChange({ client, product }: ChangeSource): Promise<number> {
  const query = { product, order: 'changeddate DESC', limit: 1, include_fields: 'last_change_time' };
  const { body } = await client.read(['bug'], query, changeTimesSchema);
  return body.bugs[0]?.last_change_time ?? 0;
}

/**
 * The cursor moves to the newest change seen, but never past the start of the read: a bug on an early page may change
 * while later pages are read. A cursor that is ahead of the tracker's clock, which was set back, goes back as well: it
 * would pass over every change until then.
 *
 * What is more than a poll reads is left to the next ones, which read what is new first, so that it never waits.
 */
export async function changesSince(source: ChangeSource, cursor: string, inTime?: InTime): Promise<Changes<Bug>> {
  const { search, client, isClockKnown } = source;
  const { sinceAt, rest } = cursorSchema.parse(JSON.parse(cursor));
  const fromAt = sinceAt - overlapMs;
  let page = await search.page(0, fromAt, inTime);
  const [items, failed] = [[...page.bugs], [...page.failed]];
  const readAt = page.readAt ?? (await serverNow(client));
  if (isClockKnown && sinceAt > readAt + overlapMs)
    return changesSince(source, cursorOf(readAt - backMs, rest), inTime);
  let pages = 1;
  const readOn = async (of: Rest | undefined): Promise<readonly Rest[]> => {
    for (let after = of?.after ?? null; of !== undefined && after !== null; after = page.next) {
      if (inTime !== undefined && (pages >= pagesPerPoll || inTime.isOut())) return [{ ...of, after }];
      page = await search.page(after, of.sinceAt, inTime);
      pages += 1;
      items.push(...page.bugs);
      failed.push(...page.failed);
    }
    return [];
  };
  const news = page.next === null ? undefined : { sinceAt: fromAt, after: page.next };
  const left = restOf([...(await readOn(news)), ...(await readOn(rest))]);
  const found = { items, failed, comments: [], hasMore: left !== undefined };
  const newestAt = items.reduce((newest, bug) => Math.max(newest, bug.changedAt), sinceAt);
  if (isClockKnown) {
    return {
      ...found,
      readAt,
      cursor: cursorOf(Math.max(sinceAt, Math.min(newestAt, readAt), readAt - lagMs), left),
    };
  }
  // Even an unrelated clock measures the duration of the read. It ended after the newest change, so it began at most
  // that much before.
  const tookMs = Math.max(0, (page.readAt ?? readAt) - readAt);
  const knownAt = Math.max(sinceAt, newestAt - tookMs);
  return { ...found, readAt: knownAt, hasClock: false, cursor: cursorOf(knownAt, left) };
}

/** One rest that has all of these. */
const restOf = (all: readonly Rest[]): Rest | undefined =>
  all.length === 0
    ? undefined
    : { sinceAt: Math.min(...all.map(({ sinceAt }) => sinceAt)), after: Math.min(...all.map(({ after }) => after)) };

/**
 * Reads the comments of many bugs in few requests. `new_since` excludes its own second, and several comments may share
 * one; and like that of a bug, the time of a comment is taken before its commit. So the request begins a minute early,
 * and ids identify repetitions.
 */

/**
 * Limits for whole threads, so that answers stay small enough to store one by one, and for those that probably contain
 * nothing new.
 */
const [wholeBatch, recentBatch] = [200, 400];
const graceMs = 60_000;

interface ThreadSource {
  readonly client: TrackerClient;
  readonly url: string;
  readonly warn: (message: string) => void;
  /** Whether the dates of answers use the clock of the timestamps of comments. */
  isClockKnown(): boolean;
  /** The findings of hello. */
  readonly markdownUse: () => MarkdownUse;
  readonly found?: Found;
  /** That clock, for answers without a date. */
  serverNow(): Promise<number>;
}

export async function readThreads(
  source: ThreadSource,
  asks: readonly ThreadAsk[],
  inTime?: InTime,
): Promise<readonly Thread[]> {
  const isWhole = (ask: ThreadAsk): boolean => ask.sinceAt === null;
  // All bugs of a batch are read from its earliest time on, so similar times belong together.
  const recent = asks
    .filter((ask) => !isWhole(ask))
    .toSorted((one, other) => (one.sinceAt ?? 0) - (other.sinceAt ?? 0));
  return [
    ...(await readBatches({ ...source, inTime }, asks.filter(isWhole), wholeBatch)),
    ...(await readBatches({ ...source, inTime }, recent, recentBatch)),
  ];
}

/** A bug requested twice is answered once, with the range of the first request. */
function readBatches(
  source: ThreadSource & { readonly inTime: InTime | undefined },
  asks: readonly ThreadAsk[],
  batchSize: number,
): Promise<readonly Thread[]> {
  const unique = [...new Map(asks.map((ask) => [ask.ref, ask])).values()];
  return readInBatches(
    {
      ...source,
      fits: (part) => part.length <= batchSize && queryLength(queryOf(part)) < queryBytesMax,
      request: (part) => request(source, part),
      leaveOut: ({ ref }, failure) => {
        if (!isPoison(failure)) return;
        source.warn(`the comments of bug ${ref} are left out, because they cannot be read: ${failure.message}`);
      },
      bugOf: ({ ref }) => ref,
      bugIn: ({ ref }) => ref,
      askOf: (ref, { sinceAt }) => ({ ref, sinceAt }),
    },
    unique,
  );
}

async function request(source: ThreadSource, asks: readonly ThreadAsk[]): Promise<readonly Thread[]> {
  const first = asks[0];
  if (first === undefined) return [];
  const answer = await source.client.read(['bug', first.ref, 'comment'], queryOf(asks), commentsIn(source.client.rows));
  const answeredAt = source.isClockKnown() ? (answer.readAt ?? (await source.serverNow())) : null;
  return asks.flatMap((ask) => {
    const found = answer.body.bugs[String(ask.ref)];
    if (found === undefined) return [];
    const comments = found.comments.map((comment) =>
      mapping(source.client.rows, commentRow({ ...comment, bug_id: ask.ref }), () => {
        assertOf(ask.ref, comment);
        return commentOf(comment, ask.ref, source.url, source.markdownUse());
      }),
    );
    const readAt = answeredAt ?? newestOf(comments, ask);
    return [
      {
        ref: ask.ref,
        isWhole: ask.sinceAt === null,
        comments: comments.filter((comment) => isWanted(comment, ask)),
        readAt,
      },
    ];
  });
}

/** Without a clock, a thread counts as read up to its newest comment. */
const newestOf = (comments: readonly Comment[], { sinceAt }: ThreadAsk): number =>
  comments.reduce((newest, { createdAt }) => Math.max(newest, createdAt), sinceAt ?? 0);

/** The first bug is in the path, the others are parameters. */
function queryOf(asks: readonly ThreadAsk[]): Query {
  const times = asks.flatMap((ask) => (ask.sinceAt === null ? [] : [ask.sinceAt]));
  const since = times.length === 0 ? {} : { new_since: trackerTime(Math.max(0, Math.min(...times) - graceMs)) };
  return { ids: asks.slice(1).map((ask) => ask.ref), ...since };
}

/** A batch is read from its earliest time on; each bug gets only its requested range. */
const isWanted = (comment: Comment, ask: ThreadAsk): boolean =>
  ask.sinceAt === null || comment.createdAt > ask.sinceAt - graceMs;

export interface SearchPage {
  readonly bugs: readonly Bug[];
  readonly failed: readonly FailedItem[];
  /** The id to continue from; null on the last page. */
  readonly next: number | null;
  readonly readAt: number | null;
}

/**
 * The bugs of one product or of one person, in pages. A search fails open (an unknown condition finds everything), so
 * every bug is checked.
 */
export interface Search {
  /** One page of the bugs with an id above `after`, changed at `changedSinceAt` (inclusive, whole seconds) or later. */
  page(after: number, changedSinceAt: number | null, inTime?: InTime): Promise<SearchPage>;
}

export type SearchOf = { readonly product: string } | { readonly creator: string };

interface SearchOptions {
  readonly client: TrackerClient;
  readonly of: SearchOf;
  readonly url: string;
  readonly pageSize: number;
  readonly atOnce: () => number;
  readonly extras: Extras;
  readonly characters: CharacterSupport;
  readonly kept?: Kept;
}

export function createSearch(options: SearchOptions): Search {
  const { client, of, url, pageSize, atOnce, extras, characters, kept = nothingKept } = options;
  const sizeName = `bugs of ${'product' in of ? of.product : of.creator} at once`;
  const keyset = createKeyset({
    client,
    bug: row(client.rows, bugSchema, bugRow),
    fields: { include_fields: [bugFields, ...extraFields(extras)].join(',') },
    criteria: { ...of },
    pageSize,
    atOnce,
    found: foundIn(kept, sizeName),
    sizes: { recent: () => kept.recent<number>(sizeName), keep: (size) => kept.keep(sizeName, size) },
  });
  const isWanted = ({ product, creator }: z.infer<typeof bugSchema>): boolean =>
    'product' in of ? product === of.product : isLogin(creator ?? '', of.creator);
  return {
    async page(after, changedSinceAt, inTime) {
      const since = changedSinceAt === null ? {} : { last_change_time: trackerTime(changedSinceAt) };
      const { bugs, failed, next, readAt } = await keyset.page(after, since, inTime);
      const unmapped: FailedItem[] = [];
      const mapped = bugs.flatMap((bug) =>
        mappedOrNone(
          client.rows,
          bugRow(bug),
          () => (isWanted(bug) ? [read(characters, detailedBug(bug, url, extras))] : []),
          ({ message }) => unmapped.push({ ref: bug.id, why: message }),
        ).flat(),
      );
      return {
        bugs: mapped,
        failed: [...unmapped, ...failed.map(({ id, failure }) => ({ ref: id, why: failure.message }))],
        next,
        readAt,
      };
    },
  };
}
