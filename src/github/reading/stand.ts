/** How far a list of changes has been read, and what a page of it adds to that. */

import * as z from 'zod';
import type { Pull } from '../../model/pulls/pull.ts';
import type { FailedItem } from '../../model/replica.ts';
import type { FeedPage, Row } from './feed.ts';

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
  /**
   * The newest change on which GitHub fails, how often it was met in a row, and when, by the clock of the `Date`
   * header; null for none.
   */
  broken: z.object({ at: z.number(), times: z.number(), metAt: z.number() }).nullable().default(null),
});
/** Cursors of versions up to 0.1 have no edge. */
export const standSchema = storedSchema.transform(({ edgeAt, ...rest }) => ({
  ...rest,
  edgeAt: edgeAt === undefined ? edgeBefore(rest.sinceAt) : edgeAt,
}));
export type Stand = z.infer<typeof standSchema>;

/** How late a list may show a change. */
export const lagMaxMs = 600_000;
/** How far the clock of the stamps can be ahead of that of the `Date` header. */
export const aheadMaxMs = 24 * 3_600_000;

export interface Begun {
  readonly stand: Stand;
  /** When the first page was read, by the clock of the `Date` header. */
  readonly readAt: number;
}

export interface Polled<T> extends Begun {
  readonly items: readonly T[];
  readonly failed: readonly FailedItem[];
  readonly pulls: readonly Pull[];
}

/**
 * A stamp that is far ahead of the date of the answer is wrong, and moves no cursor: it would pass over all changes
 * until then.
 */
export const newestOf = (
  rows: readonly { readonly changedAt: number }[],
  readAt: number,
  from: number | null,
): number | null =>
  rows.reduce(
    (at, { changedAt }) => (changedAt > readAt + aheadMaxMs ? at : Math.max(at ?? changedAt, changedAt)),
    from,
  );

/** A cursor that such a stamp has moved nevertheless goes back as far as daily full comparisons leave out. */
export function broughtBack(stand: Stand, readAt: number): Stand {
  const at = readAt - aheadMaxMs;
  return { ...stand, sinceAt: at, edgeAt: at, known: [], etag: null, shownAt: readAt, lookedAt: null };
}

interface Reading<T> {
  readonly rows: readonly Row<T>[];
  /** The first page; null if it is as it was. */
  readonly page: FeedPage<T> | null;
  readonly readAt: number;
  readonly etag: string | null;
  /** Whether all rows from the edge on were read. */
  readonly isWhole: boolean;
  readonly broken?: Stand['broken'];
}

export function polled<T>(stand: Stand, { rows, page, readAt, etag, isWhole, broken = null }: Reading<T>): Polled<T> {
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
    broken,
  };
  const items = news.flatMap(({ item }) => (item === null ? [] : [item]));
  const failed = news.flatMap((row) => row.failed ?? []);
  return { items, failed, pulls: news.flatMap(({ pull }) => pull ?? []), stand: after, readAt };
}

/** What GitHub failed on is asked for again at once, and then less and less often. */
const [againMs, againMaxMs] = [60_000, 24 * 3_600_000];

/** Whether the list has to be read with the change on which GitHub failed. */
export function isBrokenDue({ times, metAt }: NonNullable<Stand['broken']>, readAt: number): boolean {
  const waitMs = times === 1 ? 0 : Math.min(againMaxMs, againMs * 3 ** (times - 2));
  return readAt < metAt || readAt - metAt >= waitMs;
}

/** @param found the newest change on which GitHub failed now; null if it named none, undefined if it failed on none */
export function brokenAfter({ broken }: Stand, found: number | null | undefined, metAt: number): Stand['broken'] {
  const at = found === null ? broken?.at : found;
  return at === undefined ? null : { at, metAt, times: broken?.at === at ? broken.times + 1 : 1 };
}

/** Nothing as old as the newest change can still appear. */
export const settled = (stand: Stand): Stand =>
  stand.sinceAt === null ? stand : { ...stand, edgeAt: stand.sinceAt + 1, known: [] };

/** Whether the newest change was shown so long ago that nothing as old can still appear. */
export const isOld = ({ shownAt }: Stand, readAt: number): boolean => shownAt !== null && readAt - shownAt >= lagMaxMs;

export const isLookDue = ({ lookedAt }: Stand, readAt: number): boolean =>
  lookedAt === null || readAt - lookedAt >= lagMaxMs;

export const isReachedBy = <T>({ next, rows }: FeedPage<T>, edgeAt: number | null): boolean =>
  next === null || rows.some(({ changedAt }) => changedAt < lowest(edgeAt));

export const edgeBefore = (sinceAt: number | null): number | null => (sinceAt === null ? null : sinceAt - lagMaxMs);

export const lowest = (at: number | null): number => at ?? Number.NEGATIVE_INFINITY;

type Key = Stand['known'][number];

export const keyOf = ({ id, changedAt, sum }: Row<unknown>): Key => [id, changedAt, sum];

/** An older version of a known row is what a replica shows that lags. */
function isUnknownVersion({ changedAt, sum }: Row<unknown>, { edgeAt }: Stand, known: Key | undefined): boolean {
  if (changedAt < lowest(edgeAt) || known === undefined) return changedAt >= lowest(edgeAt);
  return changedAt > known[1] || (changedAt === known[1] && sum !== known[2]);
}

/**
 * The sum of a row that is no news, as far as its time says so; null for news. Stamps are whole seconds: the newest row
 * may have changed again in the second in which it was read.
 */
export const knownSumIn =
  ({ edgeAt, known, sinceAt, shownAt }: Stand) =>
  (id: number, changedAt: number): number | null => {
    if (changedAt < lowest(edgeAt)) return 0;
    if (changedAt === sinceAt && lowest(shownAt) < changedAt + 2_000) return null;
    return known.find((key) => key[0] === id && key[1] >= changedAt)?.[2] ?? null;
  };

const isOlder = (row: Row<unknown>, other: Row<unknown> | undefined): boolean =>
  other !== undefined && row.changedAt < other.changedAt;
