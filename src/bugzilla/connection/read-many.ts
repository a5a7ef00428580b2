/**
 * Reads many bugs in few requests.
 *
 * A search is read in pages that neither lose nor repeat bugs. Pages go by bug id (`f1=bug_id greaterthan LAST`), which concurrent changes
 * do not disturb. The tracker silently lowers `limit` to its own maximum, and drops bugs that were just hidden from a page, so a short page
 * need not be the last: a page is the last if it is empty, or shorter than half of what this server is known to return at once. The order of
 * the results reveals a server that does not page by id.
 *
 * One unreadable bug fails the whole request, so a failing batch is halved until that bug is isolated; it is then left out, with the
 * reason, and all others arrive.
 */

import { z } from 'zod';
import type { Look, LookAsk } from '../../model/survey.ts';
import { bugIdsSchema } from '../schema.ts';
import { texts, whole } from './answer.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, isUnreachable, TrackerError } from './errors.ts';

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
  /** Called for each bug that is left out because the tracker fails on it. */
  readonly leaveOut: (bug: number, failure: TrackerError) => void;
}

export interface KeysetPage<B> {
  readonly bugs: readonly B[];
  /** The id to continue from; null on the last page. */
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
      const known = options.endsEmpty === true ? 0 : Math.max(longest, Math.min(options.atOnce?.() ?? 0, options.pageSize));
      const isLast = ids.length === 0 || ids.length * 2 < known;
      longest = Math.max(longest, ids.length);
      return { bugs, next: isLast ? null : (ids.at(-1) ?? null), readAt };
    },
  };
}

/** As many tell apart the few bugs of a quiet poll from a page that was cut. */
const tried = 20;

/** How many bugs the tracker returns at once, up to twenty: with it, a poll while little happens is one request. 0 if it does not say. */
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
  /** The ids of all bugs found, readable or not. */
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
 * A single bug can make every page fail that contains it, so the page is read by ids, in halves until that bug is isolated.
 * If even the ids cannot be read, the tracker itself has a problem.
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

/** If some bugs of a page cannot be read, small steps lose the least time. */
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

export interface Batch<Ask, Part> {
  /** Whether these can share one request. A single one always can. */
  readonly fits: (asks: readonly Ask[]) => boolean;
  /** One request. An error about a single bug excludes only that bug; all others are rethrown. */
  readonly request: (asks: readonly Ask[]) => Promise<readonly Part[]>;
  readonly leaveOut: (ask: Ask, failure: TrackerError) => void;
}

/** The answers in request order, without those left out. Throws `TrackerError` for errors that are not about single bugs. */
export async function readInBatches<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[]): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const group of groups(batch, asks)) parts.push(...(await halved(batch, group, { isAnswered: false, failures: 0 })));
  return parts;
}

/** Apache refuses addresses above about 8190 bytes; the path, the key and other parameters need some of it. */
export const queryBytesMax = 7000;

function groups<Ask, Part>({ fits }: Batch<Ask, Part>, asks: readonly Ask[]): readonly (readonly Ask[])[] {
  const parts: Ask[][] = [];
  for (const ask of asks) {
    const part = parts.at(-1);
    if (part !== undefined && fits([...part, ask])) part.push(ask);
    else parts.push([ask]);
  }
  return parts;
}

/** The results of one group so far. */
interface Progress {
  isAnswered: boolean;
  /** Isolated bugs on which the tracker failed internally. */
  failures: number;
}

/** A tracker that fails on this many single bugs before it answers about any has a general problem; we stop. */
const failuresMax = 3;

async function halved<Ask, Part>(batch: Batch<Ask, Part>, asks: readonly Ask[], progress: Progress): Promise<readonly Part[]> {
  try {
    const parts = await batch.request(asks);
    progress.isAnswered = true;
    return parts;
  } catch (failure) {
    if (!isUnreachable(failure) && !isPoison(failure)) throw failure;
    const [first] = asks;
    if (asks.length === 1 && first !== undefined) return alone(batch, first, failure, progress);
  }
  const middle = Math.ceil(asks.length / 2);
  const before = await halved(batch, asks.slice(0, middle), progress);
  return [...before, ...(await halved(batch, asks.slice(middle), progress))];
}

/** Hidden and missing are certain; an internal failure may be temporary and is tried once more. */
async function alone<Ask, Part>(batch: Batch<Ask, Part>, ask: Ask, failure: TrackerError, progress: Progress): Promise<readonly Part[]> {
  if (isUnreachable(failure)) {
    batch.leaveOut(ask, failure);
    return [];
  }
  try {
    const parts = await batch.request([ask]);
    progress.isAnswered = true;
    return parts;
  } catch (again) {
    if (!isUnreachable(again) && !isPoison(again)) throw again;
    progress.failures += isPoison(again) ? 1 : 0;
    if (!progress.isAnswered && progress.failures >= failuresMax) throw again;
    batch.leaveOut(ask, again);
    return [];
  }
}

const shownSchema = z.object({ bugs: z.array(z.object({ id: whole, product: z.string(), groups: texts })) });

/** Bugs of a look, while nothing says that the tracker takes fewer; and as few as every tracker takes. */
const [lookMax, lookMin] = [550, 20];
/** After so many looks that came through, twice as many bugs are tried: one odd answer makes no look small for good. */
const steadyLooks = 20;

/**
 * Looks at bugs by their ids, in one request as long as all are shown. A search leaves out what it does not show, and also what goes beyond
 * the tracker's maximum. So missing bugs are asked for again until an answer is empty, and later looks ask for fewer if they were cut off.
 */
export function createLook(client: TrackerClient): (ask: LookAsk) => Promise<Look> {
  let most = lookMax;
  let steady = 0;
  const resize = (size: number): void => {
    most = Math.max(lookMin, Math.min(lookMax, size));
    steady = 0;
  };
  const request = async (ids: readonly number[]): Promise<{ readonly shown: ReadonlyMap<number, string>; readonly returned: number }> => {
    const asked = new Set(ids);
    const { body } = await client.read(['bug'], lookQuery(ids), shownSchema);
    const bugs = body.bugs.filter(({ id, groups }) => asked.has(id) && (groups ?? []).length === 0);
    return { shown: new Map(bugs.map(({ id, product }) => [id, product])), returned: body.bugs.length };
  };
  const requestAll = async (ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    const first = await request(ids);
    const shown = new Map(first.shown);
    for (let isNews = shown.size > 0; isNews && shown.size < ids.length; ) {
      const more = await request(ids.filter((id) => !shown.has(id)));
      isNews = more.shown.size > 0;
      // In the order of ids, an answer that was cut lacks its end.
      if (isNews && Math.min(...more.shown.keys()) > Math.max(...first.shown.keys())) resize(Math.min(most, first.returned));
      for (const [id, bug] of more.shown) shown.set(id, bug);
    }
    return shown;
  };
  /** A single bug may make the search fail; without it, the look goes on. */
  const requestAround = async (ids: readonly number[]): Promise<Pick<Look, 'asked' | 'shown'>> => {
    try {
      return { asked: new Set(ids), shown: await requestAll(ids) };
    } catch (failure) {
      if (!isPoison(failure)) throw failure;
    }
    const asked = new Set(ids);
    const leaveOut = (id: number, failure: TrackerError): void => void (isPoison(failure) && asked.delete(id));
    const parts = await readInBatches({ fits: () => true, request: async (part) => [...(await requestAll(part))], leaveOut }, ids);
    return { asked, shown: new Map(parts) };
  };
  return async function lookAt(ask) {
    const { asked, reached } = firstOf(ask, most);
    try {
      const found = { reached, ...(await requestAround(asked)) };
      steady += 1;
      if (steady >= steadyLooks) resize(most * 2);
      return found;
    } catch (failure) {
      if (asked.length <= lookMin || !isTooLong(failure)) throw failure;
      resize(Math.floor(asked.length / 2));
      return lookAt(ask);
    }
  };
}

const lookQuery = (ids: readonly number[]): Query => ({
  id: ids.join(','),
  limit: ids.length,
  order: 'bug_id',
  include_fields: 'id,product,groups',
});

/** The bugs of one request: for ten in turn, one that is fresh. */
function firstOf({ inTurn, fresh }: LookAsk, most: number): { readonly asked: readonly number[]; readonly reached: number } {
  const asked = new Set(fresh.slice(0, Math.floor(most / 11)));
  let length = queryLength(lookQuery([...asked]));
  let reached = 0;
  for (const bug of inTurn) {
    if (!asked.has(bug)) {
      length += `%2C${bug}`.length;
      if (asked.size === most || length > queryBytesMax) break;
    }
    asked.add(bug);
    reached += 1;
  }
  return { asked: [...asked].sort((one, other) => one - other), reached };
}

/** Something before the tracker refuses a long address: with 414, or with another answer that is not the tracker's own. */
const isTooLong = (failure: unknown): boolean =>
  failure instanceof TrackerError && failure.code === null && (failure.kind === 'invalid' || failure.kind === 'refused');
