/** Reads at which alone GitHub asks for a pause. */

import type { Pauses } from '../../model/answers/pauses.ts';
import type { Ask, GithubClient, Reply } from './client.ts';

type Failed = Extract<Reply, { readonly kind: 'failed' }>;

/**
 * What a failed reply says. Where GitHub asks for a pause again and again, and answers about the repository now, the
 * failure is one of what was read. That the hourly allowance is used up concerns everything, and GraphQL has limits of
 * its own.
 */
export function unlessAtOne(pauses: Pauses, send: GithubClient['send']): (ask: Ask, failed: Failed) => Promise<Reply> {
  const isAnswering = async (place: string): Promise<boolean> => {
    const about = `look whether GitHub answers about ${place}`;
    return (await send({ method: 'GET', path: place, cost: 'read', about })).kind !== 'failed';
  };
  return async (ask, failed) => {
    const [place, why] = [placeIn(ask.path), whyPaused(ask, failed)];
    if (place === null || place === ask.path || why === null) return failed;
    if (!pauses.wasAsked() || !(await isAnswering(place))) return failed;
    return { kind: 'failed', failure: { kind: 'unknown', why: `${why}; it answers others` } };
  };
}

/** The path of a repository. */
const placeIn = (path: string): string | null =>
  /^\/(?:repos\/[^/?]+\/[^/?]+|repositories\/\d+)/u.exec(path)?.[0] ?? null;

function whyPaused({ cost }: Ask, { failure }: Failed): string | null {
  if (cost !== 'read') return null;
  const isPause =
    (failure.kind === 'limited' && failure.isTooFast === true) ||
    (failure.kind === 'unknown' && failure.at !== undefined);
  return isPause ? failure.why : null;
}
