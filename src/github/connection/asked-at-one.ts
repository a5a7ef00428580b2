/** Reads at which alone GitHub asks for a pause. */

import type { Pauses } from '../../model/answers/pauses.ts';
import type { Ask, GithubClient, Reply } from './client.ts';

type Failed = Extract<Reply, { readonly kind: 'failed' }>;

/**
 * What a failed reply says. Where GitHub asks for a pause again and again, and answers the same question about another
 * item now, the failure is one of what was read; for a list, it has to answer about the repository. That the hourly
 * allowance is used up concerns everything, and GraphQL has limits of its own.
 */
export function unlessAtOne(pauses: Pauses, send: GithubClient['send']): (ask: Ask, failed: Failed) => Promise<Reply> {
  const isAnswering = async (place: string): Promise<boolean> => {
    const about = `look whether GitHub answers about ${place}`;
    return isAnswer(await send({ method: 'GET', path: place, cost: 'read', about }));
  };
  return async (ask, failed) => {
    const [others, pause] = [othersOf(ask.path), pauseIn(ask, failed)];
    if (others.length === 0 || pause === null || !pauses.wasAsked()) return failed;
    for (const other of others)
      if (await isAnswering(other)) {
        const { why, at } = pause;
        return { kind: 'failed', failure: { kind: 'unknown', why: `${why}; it answers others`, pauseAt: at } };
      }
    return failed;
  };
}

/** That there is no such item is an answer. */
const isAnswer = (reply: Reply): boolean =>
  reply.kind !== 'failed' || reply.failure.kind === 'gone' || reply.failure.kind === 'refused';

/** The same path for the item before and the one after; the repository for a path without the number of an item. */
function othersOf(path: string): readonly string[] {
  const found = /\/issues\/(?:comments\/)?(\d+)/u.exec(path);
  if (found !== null) {
    const [whole, number = ''] = found;
    const end = found.index + whole.length;
    const [before, rest] = [path.slice(0, end - number.length), path.slice(end)];
    return [Number(number) === 1 ? 3 : Number(number) - 1, Number(number) + 1].map((other) => before + other + rest);
  }
  const place = placeIn(path);
  return place === null || place === path ? [] : [place];
}

/** The path of a repository. */
const placeIn = (path: string): string | null =>
  /^\/(?:repos\/[^/?]+\/[^/?]+|repositories\/\d+)/u.exec(path)?.[0] ?? null;

function pauseIn({ cost }: Ask, { failure }: Failed): { readonly why: string; readonly at: number } | null {
  if (cost !== 'read') return null;
  if (failure.kind === 'limited') return failure.isTooFast === true ? failure : null;
  return failure.kind === 'unknown' && failure.at !== undefined ? { why: failure.why, at: failure.at } : null;
}
