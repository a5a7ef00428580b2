import * as z from 'zod';
import type { Issue } from '../../model/item.ts';
import type { FailedItem, Listing } from '../../model/replica.ts';
import { noContent, readError } from '../connection/failure.ts';
import type { Repository } from '../repository.ts';
import { commentsFeed, type Feed, issuesFeed, oldestPath, type Row } from './feed.ts';
import { pageOf } from './read-apart.ts';

/**
 * Walks a feed from the oldest change to the newest, page by page, by key instead of page number: an item that changes
 * meanwhile moves to the end, so page numbers would skip the one that takes its place. Each page begins at the time of
 * the last row of the page before, minus one second, which is right whether or not GitHub's `since` includes its own
 * second.
 *
 * A full page within these seconds cannot advance the key. Then it follows GitHub's next page; because items can be
 * skipped there, it walks the same seconds again until a walk finds nothing new. It also follows a page of which the
 * key would repeat most: walking a crowd of changes twice takes fewer requests than advancing through it in short
 * steps.
 */
export const positionSchema = z.object({
  sinceAt: z.number().nullable(),
  /** Where to continue within the same seconds; null to ask by `sinceAt`. */
  path: z.string().nullable(),
  /** The last row of the page before `path`: a server without paging repeats it. */
  lastId: z.number().nullable().default(null),
  /** Rows at or after `sinceAt` that were returned already: id and time of change. */
  seen: z.array(z.tuple([z.number(), z.number()])),
  /** True if following pages within these seconds has found something new. */
  again: z.boolean(),
});
export type Position = z.infer<typeof positionSchema>;

/** The most rows of one crowd to remember before the key advances through the middle of it. */
const crowdMax = 5_000;

export const startOf = (sinceAt: number | null): Position => ({
  sinceAt,
  path: null,
  lastId: null,
  seen: [],
  again: false,
});

export interface Step<T> {
  /** Without the rows of earlier steps, unless they changed since. */
  readonly rows: readonly Row<T>[];
  readonly readAt: number;
  readonly next: Position | null;
}

/** @throws SideError */
export async function ascend<T>(repository: Repository, feed: Feed<T>, position: Position): Promise<Step<T>> {
  const about = `list the ${feed.name} of ${repository.name}`;
  const path = position.path ?? oldestPath(feed, repository, position.sinceAt);
  const reply = await repository.client.send({ method: 'GET', path, cost: 'read', about });
  if (reply.kind === 'unchanged') throw readError(noContent(about));
  const seen = new Set(position.seen.map(keyOf));
  const knownSum = (id: number, changedAt: number) => (seen.has(keyOf([id, changedAt])) ? 0 : null);
  const { page, answer } = await pageOf({ repository, feed, path, knownSum }, reply);
  const rows = page.rows.filter((row) => !seen.has(keyOf([row.id, row.changedAt])));
  const again = position.again || (position.path !== null && rows.length > 0);
  const last = page.rows.at(-1) ?? null;
  const isRepeated = page.next?.isGuess === true && position.path !== null && position.lastId === last?.id;
  const all: Position['seen'] = [...position.seen, ...rows.map((row): [number, number] => [row.id, row.changedAt])];
  return {
    rows,
    readAt: answer.readAt,
    next: following({ ...position, seen: all, again }, page.rows, isRepeated ? null : (page.next?.path ?? null)),
  };
}

function following(position: Position, rows: readonly Row<unknown>[], nextPath: string | null): Position | null {
  const { sinceAt, seen, again } = position;
  const last = rows.at(-1) ?? null;
  const advancedAt = last === null ? null : last.changedAt - 1000;
  const canAdvance = advancedAt !== null && advancedAt > (sinceAt ?? Number.NEGATIVE_INFINITY);
  const wouldRepeat = rows.filter(({ changedAt }) => advancedAt !== null && changedAt >= advancedAt).length;
  const isCrowded = wouldRepeat > rows.length / 2 && seen.length < crowdMax;
  if (nextPath !== null && (!canAdvance || isCrowded))
    return { sinceAt, path: nextPath, lastId: last?.id ?? null, seen, again };
  if (again) return { ...startOf(sinceAt), seen };
  if (nextPath === null || advancedAt === null) return null;
  return { ...startOf(advancedAt), seen: seen.filter(([, changedAt]) => changedAt >= advancedAt) };
}

const keyOf = ([id, changedAt]: readonly [number, number]): string => `${id}@${changedAt}`;

const pageSchema = z.object({ feed: z.enum(['issues', 'comments']), position: positionSchema });
type ListPage = z.infer<typeof pageSchema>;

/**
 * Everything in the repository, whatever its state: all issues, then all comments, each from the oldest change to the
 * newest.
 * @throws SideError
 */
export async function list(repository: Repository, text: string | null): Promise<Listing<Issue>> {
  const { feed, position }: ListPage =
    text === null ? { feed: 'issues', position: startOf(null) } : pageSchema.parse(JSON.parse(text));
  if (feed === 'issues') {
    const step = await ascend(repository, issuesFeed, position);
    const next = step.next === null ? pageText('comments', startOf(null)) : pageText('issues', step.next);
    return { items: itemsOf(step.rows), failed: failedOf(step.rows), comments: [], readAt: step.readAt, next };
  }
  const step = await ascend(repository, commentsFeed, position);
  const next = step.next === null ? null : pageText('comments', step.next);
  return { items: [], failed: failedOf(step.rows), comments: itemsOf(step.rows), readAt: step.readAt, next };
}

const pageText = (feed: ListPage['feed'], position: Position): string =>
  JSON.stringify({ feed, position } satisfies ListPage);

const itemsOf = <T>(rows: readonly Row<T>[]): readonly T[] =>
  rows.flatMap((row) => (row.item === null ? [] : [row.item]));

const failedOf = (rows: readonly Row<unknown>[]): readonly FailedItem[] => rows.flatMap(({ failed }) => failed ?? []);
