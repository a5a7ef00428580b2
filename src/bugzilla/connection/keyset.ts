/**
 * Reading a search in pages that lose nothing and repeat nothing.
 *
 * Pages go by bug id (`f1=bug_id greaterthan LAST`), which changes made meanwhile do not disturb. The tracker lowers
 * `limit` silently to its own maximum, and takes what was hidden in that moment out of a page, so a short page is not yet the
 * last one: it is when it is empty, or shorter than half of one that this server has given. A server that does not page by id is
 * noticed by the order of what it gives.
 */

import { z } from 'zod';
import { bugIdsSchema } from '../schema.ts';
import { queryBytesMax, readInBatches } from './batch.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';

export interface KeysetOptions<B> {
  readonly client: TrackerClient;
  /** Of one bug as it is asked for. */
  readonly bug: z.ZodType<B>;
  /** What is asked for of a bug; always with its id. */
  readonly fields: Query;
  /** The search's other parameters; charts of it begin at `f2`. */
  readonly criteria: Query;
  /** How many bugs to ask for at once; the tracker may give fewer. */
  readonly pageSize: number;
  /** Told of each bug that is left out because the tracker itself fails on it. */
  readonly leaveOut: (bug: number, failure: TrackerError) => void;
}

export interface KeysetPage<B> {
  readonly bugs: readonly B[];
  /** The id to go on from; null on the last page. */
  readonly next: number | null;
  readonly readAt: number | null;
}

export interface Keyset<B> {
  /** One page of the bugs with an id above `after`; `more` joins the criteria. Throws `TrackerError`. */
  page(after: number, more?: Query): Promise<KeysetPage<B>>;
}

export function createKeyset<B extends { readonly id: number }>(options: KeysetOptions<B>): Keyset<B> {
  let longest = 0;
  return {
    async page(after, more = {}) {
      const query = { ...options.criteria, ...more, f1: 'bug_id', o1: 'greaterthan', v1: after, order: 'bug_id', limit: options.pageSize };
      const { ids, bugs, readAt } = await readPage(options, query);
      assertInOrder(ids, after);
      const isLast = ids.length === 0 || ids.length * 2 < longest;
      longest = Math.max(longest, ids.length);
      return { bugs, next: isLast ? null : (ids.at(-1) ?? null), readAt };
    },
  };
}

interface PageRead<B> {
  /** Of every bug that was found, readable or not. */
  readonly ids: readonly number[];
  readonly bugs: readonly B[];
  readonly readAt: number | null;
}

async function readPage<B extends { readonly id: number }>(options: KeysetOptions<B>, query: Query): Promise<PageRead<B>> {
  try {
    const { body, readAt } = await options.client.read(['bug'], { ...query, ...options.fields }, z.object({ bugs: z.array(options.bug) }));
    return { ids: body.bugs.map(({ id }) => id), bugs: body.bugs, readAt };
  } catch (failure) {
    if (!isPoison(failure)) throw failure;
    return readAround(options, query);
  }
}

/**
 * A single bug can make every page fail that contains it, so the page is read by ids, in halves until that bug stands alone.
 * When even the ids cannot be read, the tracker itself is ill.
 */
async function readAround<B extends { readonly id: number }>(options: KeysetOptions<B>, query: Query): Promise<PageRead<B>> {
  const { body, readAt } = await options.client.read(['bug'], { ...query, include_fields: 'id' }, bugIdsSchema);
  const ids = body.bugs.map(({ id }) => id);
  const asked = (part: readonly number[]): Query => ({ id: part.join(','), limit: part.length, ...options.fields });
  const bugs = await readInBatches(
    {
      fits: (part) => part.length <= idsPerRequest && queryLength(asked(part)) < queryBytesMax,
      request: async (part) => (await options.client.read(['bug'], asked(part), z.object({ bugs: z.array(options.bug) }))).body.bugs,
      leaveOut: options.leaveOut,
    },
    ids,
  );
  return { ids, bugs, readAt };
}

/** Where some bugs of a page cannot be read, small steps lose the least time. */
const idsPerRequest = 200;

function assertInOrder(ids: readonly number[], after: number): void {
  const isRising = ids.every((id, index) => id > (ids[index - 1] ?? after));
  if (!isRising) {
    throw new TrackerError(
      'refused',
      `The tracker does not page its search by bug id (asked for bugs above ${after}); it cannot be read safely`,
    );
  }
}
