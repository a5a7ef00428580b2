import type { Pause } from '../model/runtime.ts';

const firstMs = 30_000;
const longestMs = 3_600_000;

/**
 * How long to wait before an operation is tried again: doubling from half a minute to an hour. `spread`, in [0, 1), takes up
 * to a quarter off, so that what failed together is not tried together.
 */
export function backoffMs(attempts: number, spread: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, attempts - 1));
  return Math.round(full * (1 - spread / 4));
}

/** How long an operation is put off before people hear of it: nothing lags for so long. */
export const patienceMs = 2 * 3_600_000;

/** The least that a pause which was too short before grows from. */
const leastPauseMs = 1_000;

/** A pause this long after the last one is no repetition of it. */
const forgottenMs = 3_600_000;

/**
 * The pause of a side that asks for one until `until`. A side that asks again as soon as it is asked for something is left alone for longer
 * each time, doubling what it asked for up to an hour, as GitHub wishes. Requests that were on their way when a pause began are no repetition.
 * Source: docs.github.com, "Rate limits for the REST API", "Exceeding the rate limit".
 */
export function pauseAfter(last: Pause | null, until: number, now: number): Pick<Pause, 'until' | 'times'> {
  if (last !== null && last.until > now) return { until: Math.max(last.until, until), times: last.times };
  const times = last === null || now - last.until > forgottenMs ? 1 : last.times + 1;
  const grownMs = times === 1 ? 0 : Math.max(leastPauseMs, until - now) * 2 ** (times - 1);
  return { until: Math.max(until, now + Math.min(longestMs, grownMs)), times };
}
