import type { RouteStatus } from '../model/route-status.ts';
import { adviceOn } from './failure.ts';
import { judgedStatus } from './route-status.ts';
import { sentenceOf } from './words.ts';

const strayInWords = (route: string): string =>
  `the state holds pairs of route ${route}, which the configuration does not have: they are not kept in step, nor withdrawn when they become private`;

const stray = { of: 'stray', kind: 'refused', side: null } as const;

/** The same with what to do, as sentences. */
export const strayAdvice = (route: string): string => `${sentenceOf(strayInWords(route))} ${adviceOn(stray)}`;

/**
 * A status that also says which routes the configuration lacks, although the state holds pairs of them: no other place
 * shows these pairs, and somebody may still write private content into them.
 */
export function withStrays(status: RouteStatus, strays: readonly string[], now: number): RouteStatus {
  if (!status.isEnabled || strays.length === 0) return status;
  const found = strays.map((route) => {
    const failed = { ...stray, why: strayInWords(route), sinceAt: now, at: now, count: 1 };
    return { ...failed, advice: adviceOn(stray), needsPerson: true };
  });
  return judgedStatus({ ...status, failures: [...status.failures, ...found] }, now);
}
