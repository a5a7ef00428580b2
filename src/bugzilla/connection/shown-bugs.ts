/** Which of many bugs the tracker shows to the account of this client. */

import { z } from 'zod';
import type { InTime } from '../../model/runtime.ts';
import type { Look, LookAsk } from '../../model/survey.ts';
import { instant, texts, whole } from './answer.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';
import { nothingFound, queryBytesMax, readInBatches } from './read-apart.ts';
import { steadyMin } from './read-many.ts';

const shownBugSchema = z.object({
  id: whole,
  product: z.string(),
  groups: texts,
  last_change_time: instant.nullish(),
});
const shownSchema = z.object({ bugs: z.array(shownBugSchema) });

/** The usual number of bugs in a look, and a number that every tracker accepts. */
const [lookMax, lookMin] = [550, 20];
/**
 * Looks at bugs by their ids: in one request if it shows all of them. A search omits hidden bugs, and also bugs beyond
 * the tracker's maximum. So missing bugs are requested again until an answer is empty, and if the tracker cut the
 * answer, later looks are smaller.
 */
export function createLook(client: TrackerClient): (ask: LookAsk, inTime?: InTime) => Promise<Look> {
  let most = lookMax;
  let steady = 0;
  const resize = (size: number): void => {
    most = Math.max(lookMin, Math.min(lookMax, size));
    steady = 0;
  };
  const request = async (ids: readonly number[]): Promise<Pick<Look, 'shown'> & { readonly returned: number }> => {
    const asked = new Set(ids);
    const { body } = await client.read(['bug'], lookQuery(ids), shownSchema);
    const bugs = body.bugs.filter(({ id, groups }) => asked.has(id) && (groups ?? []).length === 0);
    return {
      shown: new Map(bugs.map(({ id, product, last_change_time: at }) => [id, { product, changedAt: at ?? null }])),
      returned: body.bugs.length,
    };
  };
  const requestAll = async (ids: readonly number[]): Promise<Look['shown']> => {
    const first = await request(ids);
    const shown = new Map(first.shown);
    for (let isNews = shown.size > 0; isNews && shown.size < ids.length; ) {
      const more = await request(ids.filter((id) => !shown.has(id)));
      isNews = more.shown.size > 0;
      // In the order of ids, an answer that was cut lacks its end.
      if (isNews && Math.min(...more.shown.keys()) > Math.max(...first.shown.keys()))
        resize(Math.min(most, first.returned));
      for (const [id, bug] of more.shown) shown.set(id, bug);
    }
    return shown;
  };
  const [slow, failing] = [new Map<number, number>(), new Set<number>()];
  return async function lookAt(ask, inTime) {
    const { asked, reached } = firstOf(ask, most);
    try {
      const { shown, failed, late } = await lookAround({ client, requestAll, slow, failing }, asked, inTime);
      steady += 1;
      if (steady >= steadyMin) resize(most * 2);
      // The next look goes on from there.
      const left = ask.inTurn.slice(0, reached).findIndex((id) => late.has(id));
      return {
        shown,
        asked: new Set(asked.filter((id) => !failed.has(id) && !late.has(id))),
        reached: left === -1 ? reached : Math.max(1, left),
      };
    } catch (failure) {
      if (asked.length <= lookMin || !isTooLong(failure)) throw failure;
      resize(Math.floor(asked.length / 2));
      return lookAt(ask, inTime);
    }
  };
}

interface Found extends Pick<Look, 'shown'>, ReturnType<typeof nothingLeft> {}

/** Bugs on which the tracker fails, and those for which there was no time. */
const nothingLeft = () => ({ failed: new Set<number>(), late: new Set<number>() });

/** If a bug makes the search fail slowly, small steps lose the least time. */
const slowSteps = 8;

interface Looking {
  readonly client: TrackerClient;
  readonly requestAll: (ids: readonly number[]) => Promise<Look['shown']>;
  /** Bugs of looks that failed slowly. */
  readonly slow: Map<number, number>;
  /** Bugs on which the last look at them failed. */
  readonly failing: Set<number>;
}

/**
 * A single bug may make the search fail; without it, the look goes on, in small steps if it fails slowly, as long as
 * there is time. Each look asks anew whether the tracker answers at all: one that never does must not pass for
 * one without news.
 */
async function lookAround(
  { client, requestAll, slow, failing }: Looking,
  ids: readonly number[],
  inTime: InTime | undefined,
): Promise<Found> {
  const atFirstMs = inTime?.spentMs();
  const isKnown = ids.some((id) => slow.has(id) || failing.has(id));
  try {
    if (!isKnown) return { shown: await (inTime?.during(() => requestAll(ids)) ?? requestAll(ids)), ...nothingLeft() };
  } catch (failure) {
    if (!isPoison(failure) || (ids.length > lookMin && isTooLong(failure))) throw failure;
  }
  const spentMs = inTime?.spentMs();
  const most = spentMs === atFirstMs ? ids.length : Math.ceil(ids.length / slowSteps);
  const { failed, late } = nothingLeft();
  const isOut = (): boolean => inTime !== undefined && inTime.spentMs() !== spentMs && inTime.isOut();
  const parts = await readInBatches(
    {
      client,
      apart: new Set(failing),
      found: { ...nothingFound(), slow },
      inTime: inTime && { ...inTime, isOut, late: (id) => late.add(id) },
      fits: (part) => part.length <= most,
      request: async (part) => [...(await requestAll(part))],
      leaveOut: (id, failure) => void (isPoison(failure) && failed.add(id)),
      bugOf: (id: number) => id,
      askOf: (id) => id,
    },
    ids,
  );
  for (const id of ids) if (!late.has(id)) failing.delete(id);
  for (const id of failed) failing.add(id);
  return { shown: new Map(parts), failed, late };
}

const lookQuery = (ids: readonly number[]): Query => ({
  id: ids.join(','),
  limit: ids.length,
  order: 'bug_id',
  include_fields: 'id,product,groups,last_change_time',
});

/** The bugs of one request: one fresh bug for every ten bugs in turn. */
function firstOf(
  { inTurn, fresh }: LookAsk,
  most: number,
): { readonly asked: readonly number[]; readonly reached: number } {
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

/**
 * Something before the tracker refuses a long address: with 414, or with another answer that is not the tracker's own.
 */
const isTooLong = (failure: unknown): boolean =>
  failure instanceof TrackerError &&
  failure.code === null &&
  (failure.kind === 'invalid' || failure.kind === 'refused');
