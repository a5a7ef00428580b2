/**
 * Reads many bugs in few requests.
 *
 * A search is read in pages that neither lose nor repeat bugs. Pages go by bug id (`f1=bug_id greaterthan LAST`), which
 * concurrent changes do not disturb. The tracker silently lowers `limit` to its own maximum, and drops bugs that were
 * just hidden from a page, so a short page need not be the last: a page is the last if it is empty, or shorter than
 * half of what this server is known to return at once. The order of the results reveals a server that does not page by
 * id.
 *
 * If the tracker fails on large pages, later pages are smaller. If it fails on a bug, the other bugs are still read.
 */

import { z } from 'zod';
import { bugIdsSchema } from '../schema.ts';
import { ofTracker } from './asked-at-one.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';
import { queryBytesMax, readInBatches } from './read-apart.ts';

export interface KeysetOptions<B> {
  readonly client: TrackerClient;
  /** The schema of one bug. */
  readonly bug: z.ZodType<B>;
  /** The fields to read; always with the id. */
  readonly fields: Query;
  /** The other parameters of the search; its charts begin at `f2`. */
  readonly criteria: Query;
  /** Bugs per request; the tracker may return fewer. */
  readonly pageSize: number;
  /** How many bugs the tracker has returned at once to another search; 0 if nobody has asked. */
  readonly atOnce?: () => number;
  /** True if only an empty page is the last: one more request, and a page that was cut on its way ends nothing. */
  readonly endsEmpty?: boolean;
  /** Where the size is kept that the tracker manages, if it is smaller than `pageSize`. */
  readonly sizes?: { recent(): number | null; keep(size: number): void };
}

/** A bug that is left out because the tracker fails on it. */
export interface FailedBug {
  readonly id: number;
  readonly failure: TrackerError;
}

export interface KeysetPage<B> {
  readonly bugs: readonly B[];
  readonly failed: readonly FailedBug[];
  /** The id to continue from; null on the last page. */
  readonly next: number | null;
  readonly readAt: number | null;
}

export interface Keyset<B> {
  /** One page of the bugs with an id above `after`; `more` joins the criteria. Throws `TrackerError`. */
  page(after: number, more?: Query): Promise<KeysetPage<B>>;
}

/**
 * After this number of successful pages or looks, their size doubles, so that one bad answer does not reduce it for
 * good.
 */
export const steadyMin = 20;

export function createKeyset<B extends { readonly id: number }>(options: KeysetOptions<B>): Keyset<B> {
  let longest = 0;
  let most: number | null = null;
  let steady = 0;
  const failing = new Set<number>();
  const resize = (size: number): void => {
    most = Math.max(1, Math.min(options.pageSize, size));
    steady = 0;
    options.sizes?.keep(most);
  };
  return {
    async page(after, more = {}) {
      most ??= options.sizes?.recent() ?? options.pageSize;
      const criteria = { ...options.criteria, ...more, f1: 'bug_id', o1: 'greaterthan', v1: after, order: 'bug_id' };
      const { limit, ids, bugs, failed, readAt, managed } = await readPage(options, criteria, most, failing);
      assertInOrder(ids, after);
      steady += 1;
      if (managed < most) resize(managed);
      else if (most < options.pageSize && steady >= steadyMin) resize(most * 2);
      const known = options.endsEmpty === true ? 0 : Math.min(limit, Math.max(longest, options.atOnce?.() ?? 0));
      const isLast = ids.length === 0 || ids.length * 2 < known;
      longest = Math.max(longest, ids.length);
      return { bugs, failed, next: isLast ? null : (ids.at(-1) ?? null), readAt };
    },
  };
}

/** Enough to distinguish the few bugs of a quiet poll from a page that the tracker cut. */
const tried = 20;

/**
 * How many bugs the tracker returns at once, up to twenty. A poll that knows it needs one request while little happens.
 * 0 if the tracker refuses to say.
 */
export async function returnedAtOnce(client: TrackerClient): Promise<number> {
  const query = { f1: 'bug_id', o1: 'greaterthan', v1: 0, order: 'bug_id', limit: tried, include_fields: 'id' };
  try {
    return (await client.read(['bug'], query, bugIdsSchema)).body.bugs.length;
  } catch (failure) {
    if (failure instanceof TrackerError && failure.kind !== 'unavailable' && failure.kind !== 'limited') return 0;
    throw failure;
  }
}

interface PageRead<B> {
  /** How many bugs were asked for. */
  readonly limit: number;
  /** The ids of all bugs found, readable or not. */
  readonly ids: readonly number[];
  readonly bugs: readonly B[];
  readonly failed: readonly FailedBug[];
  readonly readAt: number | null;
  /** How many bugs the tracker manages at once. */
  readonly managed: number;
}

/** One page of at most `limit` bugs. @param failing bugs that the tracker has failed on, for the next time */
async function readPage<B extends { readonly id: number }>(
  options: KeysetOptions<B>,
  criteria: Query,
  limit: number,
  failing: Set<number>,
): Promise<PageRead<B>> {
  const query = { ...criteria, limit };
  try {
    const { body, readAt } = await options.client.read(
      ['bug'],
      { ...query, ...options.fields },
      z.object({ bugs: z.array(options.bug) }),
    );
    for (const { id } of body.bugs) failing.delete(id);
    return { limit, ids: body.bugs.map(({ id }) => id), bugs: body.bugs, failed: [], readAt, managed: limit };
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    const found = await readIds(options.client, query, failure);
    if (found !== null)
      return { limit, ...(await readAround(options, found.ids, limit, failing)), readAt: found.readAt };
    return readPage(options, criteria, Math.ceil(limit / 2), failing);
  }
}

/**
 * Finds out which bugs are on a page that failed. Null if the tracker does not even list their ids, although it answers
 * about fewer bugs. If it does not answer about fewer either, the failure is general: no more requests are sent.
 */
async function readIds(
  client: TrackerClient,
  query: Query & { readonly limit: number },
  failure: TrackerError,
): Promise<Pick<PageRead<never>, 'ids' | 'readAt'> | null> {
  const read = async (limit: number) => {
    const { body, readAt } = await client.read(['bug'], { ...query, limit, include_fields: 'id' }, bugIdsSchema);
    return { ids: body.bugs.map(({ id }) => id), readAt };
  };
  try {
    return await read(query.limit);
  } catch (again) {
    const isCoded =
      again instanceof TrackerError && (again.kind === 'refused' || again.kind === 'invalid') && again.code !== null;
    if (!isPoison(again) || isCoded || query.limit === 1) throw ofTracker(failure);
  }
  await read(1).catch(() => Promise.reject(ofTracker(failure)));
  return null;
}

/**
 * A single bug can make every page fail that contains it, so the page is read by ids, in halves until that bug is
 * isolated.
 */
async function readAround<B extends { readonly id: number }>(
  options: KeysetOptions<B>,
  ids: readonly number[],
  limit: number,
  failing: Set<number>,
): Promise<Omit<PageRead<B>, 'limit' | 'readAt'>> {
  const asked = (part: readonly number[]): Query => ({ id: part.join(','), limit: part.length, ...options.fields });
  const failed: FailedBug[] = [];
  let managed = 1;
  const bugs = await readInBatches(
    {
      client: options.client,
      fits: (part) => part.length <= idsPerRequest && queryLength(asked(part)) < queryBytesMax,
      request: async (part) => {
        const { body } = await options.client.read(['bug'], asked(part), z.object({ bugs: z.array(options.bug) }));
        managed = Math.max(managed, part.length);
        return body.bugs;
      },
      leaveOut: (id, failure) => failed.push({ id, failure }),
      bugOf: (id) => id,
      askOf: (id) => id,
      apart: new Set(failing),
    },
    ids,
  );
  for (const id of ids) failing.delete(id);
  for (const { id } of failed) failing.add(id);
  return { ids, bugs, failed, managed: failed.length === 0 && ids.length > managed ? managed : limit };
}

/** If some bugs of a page cannot be read, small steps lose the least time. */
const idsPerRequest = 200;

/** A search that joins tables may show a bug twice. */
function assertInOrder(ids: readonly number[], after: number): void {
  const isRising = ids.every((id, index) => id > after && id >= (ids[index - 1] ?? after));
  if (!isRising) {
    throw new TrackerError(
      'refused',
      `The tracker does not page its search by bug id (asked for bugs above ${after}); it cannot be read safely`,
    );
  }
}
