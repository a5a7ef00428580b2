import type { CaseResult } from '../model/rehearsal.ts';
import type { Case, Observation } from './case.ts';

/** Compares the observations with the bridge's assumptions. */
export function judgeCase(
  { id, assumes, usedIn, expects, fits, means }: Case,
  family: string,
  seen: Observation,
): CaseResult {
  const about = { id, family, assumes, usedIn, expected: expects };
  if (typeof seen !== 'string') return { ...about, verdict: 'not-tried', seen: null, why: seen.untried, means: null };
  const isAsAssumed = fits === undefined ? seen === expects : fits.test(seen);
  return isAsAssumed
    ? { ...about, verdict: 'as-assumed', seen, why: null, means: null }
    : { ...about, verdict: 'differs', seen, why: null, means };
}
