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
import type { InTime } from '../../model/runtime.ts';
import { bugIdsSchema } from '../schema.ts';
import { ofTracker } from './asked-at-one.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';
import { findUnlisted } from './find-unlisted.ts';
import { type Batch, type Found, isDark, nothingFound, queryBytesMax, readInBatches } from './read-apart.ts';

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
  readonly found?: Found;
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
  /**
   * One page of the bugs with an id above `after`; `more` joins the criteria. What it has no time for counts as failed.
   * Throws `TrackerError`.
   */
  page(after: number, more?: Query, inTime?: InTime): Promise<KeysetPage<B>>;
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
  let good: number | null = null;
  const { found = nothingFound() } = options;
  const failing = new Set<number>();
  const resize = (size: number): void => {
    most = Math.max(1, Math.min(options.pageSize, size));
    steady = 0;
    options.sizes?.keep(most);
  };
  return {
    async page(after, more = {}, inTime = undefined) {
      most ??= options.sizes?.recent() ?? options.pageSize;
      const criteria = { ...options.criteria, ...more, f1: 'bug_id', o1: 'greaterthan', v1: after, order: 'bug_id' };
      const { limit, ids, bugs, failed, readAt, managed, isCut } = await readPage(
        { ...options, found, inTime, failing, after, good },
        criteria,
        most,
      );
      assertInOrder(ids, after);
      good = bugs.at(-1)?.id ?? good;
      steady += 1;
      if (managed < most) resize(managed);
      else if (most < options.pageSize && steady >= steadyMin) resize(most * 2);
      const known = options.endsEmpty === true ? 0 : Math.min(limit, Math.max(longest, options.atOnce?.() ?? 0));
      const isLast = ids.length === 0 || (!isCut && ids.length * 2 < known);
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
  /** Whether the page ends early, with a bug that the tracker does not even list. */
  readonly isCut?: boolean;
}

interface PageOptions<B> extends KeysetOptions<B> {
  readonly found: Found;
  readonly inTime: InTime | undefined;
  /** Bugs that the tracker has failed on, for the next time. */
  readonly failing: Set<number>;
  /** Where the page begins. */
  readonly after: number;
  /** A bug that the tracker listed lately. */
  readonly good: number | null;
}

/** One page of at most `limit` bugs. */
async function readPage<B extends { readonly id: number }>(
  options: PageOptions<B>,
  criteria: Query,
  limit: number,
): Promise<PageRead<B>> {
  const { client, fields, failing, inTime, after, good } = options;
  const query = { ...criteria, limit };
  const spentMs = inTime?.spentMs();
  try {
    const read = () => client.read(['bug'], { ...query, ...fields }, z.object({ bugs: z.array(options.bug) }));
    const { body, readAt } = await (inTime?.during(read) ?? read());
    for (const { id } of body.bugs) failing.delete(id);
    return { limit, ids: body.bugs.map(({ id }) => id), bugs: body.bugs, failed: [], readAt, managed: limit };
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    const isSlow = inTime?.spentMs() !== spentMs;
    const found = await readIds(client, query, failure);
    if (found === 'fewer') return readPage(options, criteria, Math.ceil(limit / 2));
    if (found !== 'none')
      return { limit, ...(await readAround(options, found.ids, { limit, isSlow })), readAt: found.readAt };
    const id = isSlow ? null : await findUnlisted({ client, criteria, after, known: failing, good, inTime });
    if (id === null) throw ofTracker(failure);
    failing.add(id);
    return { limit, ids: [id], bugs: [], failed: [{ id, failure }], readAt: null, managed: limit, isCut: true };
  }
}

/**
 * Finds out which bugs are on a page that failed. If the tracker does not even list their ids, says whether it lists
 * fewer: the page was too large then, or it fails on a bug that is not the first.
 */
async function readIds(
  client: TrackerClient,
  query: Query & { readonly limit: number },
  failure: TrackerError,
): Promise<Pick<PageRead<never>, 'ids' | 'readAt'> | 'fewer' | 'none'> {
  const read = async (limit: number) => {
    const { body, readAt } = await client.read(['bug'], { ...query, limit, include_fields: 'id' }, bugIdsSchema);
    return { ids: body.bugs.map(({ id }) => id), readAt };
  };
  try {
    return await read(query.limit);
  } catch (again) {
    if (!isPoison(again)) throw ofTracker(failure);
    if (query.limit === 1) return 'none';
  }
  return read(1).then(
    () => 'fewer',
    (again: unknown) => (isPoison(again) ? 'none' : Promise.reject(ofTracker(failure))),
  );
}

/**
 * A single bug can make every page fail that contains it, so the page is read by ids, in halves until that bug is
 * isolated. If it fails slowly, in small steps, as long as there is time: what is left is read by its number later.
 */
async function readAround<B extends { readonly id: number }>(
  options: PageOptions<B>,
  ids: readonly number[],
  { limit, isSlow }: { readonly limit: number; readonly isSlow: boolean },
): Promise<Omit<PageRead<B>, 'limit' | 'readAt'>> {
  const { failing, found, inTime } = options;
  const asked = (part: readonly number[]): Query => ({ id: part.join(','), limit: part.length, ...options.fields });
  const most = isSlow ? Math.ceil(ids.length / slowSteps) : idsPerRequest;
  const spentMs = inTime?.spentMs();
  const isOut = (): boolean => inTime !== undefined && inTime.spentMs() !== spentMs && inTime.isOut();
  const failed = new Map<number, TrackerError>();
  let managed = 1;
  const batch: Batch<number, B> = {
    client: options.client,
    fits: (part) => part.length <= most && queryLength(asked(part)) < queryBytesMax,
    request: async (part) => {
      const { body } = await options.client.read(['bug'], asked(part), z.object({ bugs: z.array(options.bug) }));
      managed = Math.max(managed, part.length);
      return body.bugs;
    },
    leaveOut: (id, failure) => failed.set(id, failure),
    bugOf: (id) => id,
    askOf: (id) => id,
    apart: new Set(failing),
    found,
    inTime: inTime && { ...inTime, isOut, late: (id) => failed.set(id, notNow) },
  };
  let bugs = await readInBatches(batch, ids);
  if (failed.size === ids.length && isOut()) bugs = await readLast(batch, ids);
  for (const { id } of bugs) failed.delete(id);
  for (const id of ids) failing.delete(id);
  for (const [id, failure] of failed) if (failure !== notNow) failing.add(id);
  const left = [...failed].map(([id, failure]) => ({ id, failure }));
  return { ids, bugs, failed: left, managed: left.length === 0 && ids.length > managed ? managed : limit };
}

/** Once the time is over and nothing was answered: whether the tracker answers about any bug of the page. */
async function readLast<B>(
  { request, leaveOut, found }: Batch<number, B>,
  ids: readonly number[],
): Promise<readonly B[]> {
  try {
    return await request(ids.slice(-1));
  } catch (failure) {
    if (!isPoison(failure) || (found !== undefined && isDark(found))) throw failure;
    for (const id of ids.slice(-1)) leaveOut(id, failure);
    return [];
  }
}

const notNow = new TrackerError('unknown-outcome', 'The tracker answers about other bugs too slowly');

/** If some bugs of a page cannot be read, small steps lose the least time. */
const [idsPerRequest, slowSteps] = [200, 8];

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
