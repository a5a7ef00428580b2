/**
 * Reading a product in pages that lose nothing.
 *
 * Pages go by bug id (`f1=bug_id greaterthan LAST`), which changes made meanwhile do not disturb. The tracker lowers
 * `limit` silently to its own maximum, so a short page is not yet the last one: it is only when this server has once
 * given a longer page, or when it is empty. A search fails open (an unknown condition finds everything), so what
 * comes back is checked: every bug for its product, every page for being in order and beyond the last one.
 */
import type { Bug } from '../model/item.ts';
import type { Query, TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';
import { bugOf } from './map.ts';
import { bugFields, bugIdsSchema, bugsSchema } from './schema.ts';

export interface SearchPage {
  readonly bugs: readonly Bug[];
  /** The id to go on from; null on the last page. */
  readonly next: number | null;
  readonly readAt: number | null;
}

export interface Search {
  /** One page of the bugs with an id above `after`, changed at `changedSinceAt` (inclusive, whole seconds) or later. */
  page(after: number, changedSinceAt: number | null): Promise<SearchPage>;
}

interface SearchOptions {
  readonly client: TrackerClient;
  readonly product: string;
  readonly url: string;
  readonly pageSize: number;
  readonly warn: (message: string) => void;
}

export function createSearch(options: SearchOptions): Search {
  let longest = 0;
  return {
    async page(after, changedSinceAt) {
      const query = pageQuery(options, after, changedSinceAt);
      const { ids, bugs, readAt } = await readPage(options, query);
      assertInOrder(ids, after);
      const isLast = ids.length === 0 || (ids.length < options.pageSize && ids.length < longest);
      longest = Math.max(longest, ids.length);
      return { bugs: bugs.filter((bug) => bug.product === options.product), next: isLast ? null : (ids.at(-1) ?? null), readAt };
    },
  };
}

/** A time for the tracker: whole seconds, and always with its zone, without which it is taken for the server's local time. */
export const trackerTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Keeps the address well below the 8 KB that web servers take, at about ten bytes an id. */
const idsPerRequest = 200;

interface PageRead {
  /** Of every bug that was found, readable or not. */
  readonly ids: readonly number[];
  readonly bugs: readonly Bug[];
  readonly readAt: number | null;
}

function pageQuery({ product, pageSize }: SearchOptions, after: number, changedSinceAt: number | null): Query {
  return {
    product,
    ...(changedSinceAt === null ? {} : { last_change_time: trackerTime(changedSinceAt) }),
    f1: 'bug_id',
    o1: 'greaterthan',
    v1: after,
    order: 'bug_id',
    limit: pageSize,
  };
}

async function readPage(options: SearchOptions, query: Query): Promise<PageRead> {
  try {
    const { body, readAt } = await options.client.read(['bug'], { ...query, include_fields: bugFields }, bugsSchema);
    return { ids: body.bugs.map((bug) => bug.id), bugs: body.bugs.map((bug) => bugOf(bug, options.url)), readAt };
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    return readAround(options, query);
  }
}

/**
 * One bug whose stored data the tracker cannot put into words fails the whole page. Its id can still be read, so the
 * page is read by ids in halves until that bug stands alone. When even the ids cannot be read, the tracker itself is ill.
 */
async function readAround(options: SearchOptions, query: Query): Promise<PageRead> {
  const { body, readAt } = await options.client.read(['bug'], { ...query, include_fields: 'id' }, bugIdsSchema);
  const ids = body.bugs.map((bug) => bug.id);
  return { ids, bugs: await readHalves(options, ids), readAt };
}

async function readHalves(options: SearchOptions, ids: readonly number[]): Promise<readonly Bug[]> {
  if (ids.length === 0) return [];
  if (ids.length <= idsPerRequest) {
    try {
      return await readByIds(options, ids);
    } catch (failure) {
      if (!isPoison(failure)) throw failure;
      if (ids.length === 1) return readAlone(options, ids);
    }
  }
  const middle = Math.ceil(ids.length / 2);
  const first = await readHalves(options, ids.slice(0, middle));
  return [...first, ...(await readHalves(options, ids.slice(middle)))];
}

/** A failure may have been the tracker's bad moment and not the bug's: only the second one in a row is believed. */
async function readAlone(options: SearchOptions, ids: readonly number[]): Promise<readonly Bug[]> {
  try {
    return await readByIds(options, ids);
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    options.warn(`bug ${ids.join()} is left out, because the tracker cannot show it: ${failure.message}`);
    return [];
  }
}

async function readByIds({ client, url }: SearchOptions, ids: readonly number[]): Promise<readonly Bug[]> {
  const query = { id: ids.join(','), limit: ids.length, include_fields: bugFields };
  const { body } = await client.read(['bug'], query, bugsSchema);
  return body.bugs.map((bug) => bugOf(bug, url));
}

function assertInOrder(ids: readonly number[], after: number): void {
  const isRising = ids.every((id, index) => id > (ids[index - 1] ?? after));
  if (!isRising) {
    throw new TrackerError(
      'refused',
      `The tracker does not page its search by bug id (asked for bugs above ${after}); it cannot be read safely`,
    );
  }
}
