/** Which of many bugs the tracker shows to the account of this client. */

import { z } from 'zod';
import type { Look, LookAsk } from '../../model/survey.ts';
import { instant, texts, whole } from './answer.ts';
import { type Query, queryLength, type TrackerClient } from './client.ts';
import { isPoison, TrackerError } from './errors.ts';
import { queryBytesMax, readInBatches } from './read-apart.ts';
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
export function createLook(client: TrackerClient): (ask: LookAsk) => Promise<Look> {
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
  /** A single bug may make the search fail; without it, the look goes on. */
  const requestAround = async (ids: readonly number[]): Promise<Pick<Look, 'asked' | 'shown'>> => {
    try {
      return { asked: new Set(ids), shown: await requestAll(ids) };
    } catch (failure) {
      if (!isPoison(failure) || (ids.length > lookMin && isTooLong(failure))) throw failure;
    }
    const asked = new Set(ids);
    const parts = await readInBatches(
      {
        client,
        fits: () => true,
        request: async (part) => [...(await requestAll(part))],
        leaveOut: (id, failure) => void (isPoison(failure) && asked.delete(id)),
        bugOf: (id: number) => id,
        askOf: (id) => id,
      },
      ids,
    );
    return { asked, shown: new Map(parts) };
  };
  return async function lookAt(ask) {
    const { asked, reached } = firstOf(ask, most);
    try {
      const found = { reached, ...(await requestAround(asked)) };
      steady += 1;
      if (steady >= steadyMin) resize(most * 2);
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
