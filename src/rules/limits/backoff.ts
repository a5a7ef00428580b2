import type { Backoff } from '../../model/runtime.ts';

const firstMs = 30_000;
const longestMs = 3_600_000;

/**
 * How long to wait before an operation is tried again: doubling from half a minute to an hour. `spread`, in [0, 1),
 * takes up to a quarter off, so that operations that failed together are not retried together.
 */
export function backoffMs(attempts: number, spread: number): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.max(0, attempts - 1));
  return Math.round(full * (1 - spread / 4));
}

/** How late lists and replicas of GitHub may show a change. */
export const githubLagMs = 600_000;

/** GitHub's stamps have whole seconds, and a comment may be stamped before its issue. */
export const stampsMs = 2_000;

/** How long an operation may be put off before it is reported; no normal lag takes this long. */
export const patienceMs = 2 * 3_600_000;

/** How long a refused comment holds up the comments after it: two daily sweeps. */
const placeMs = 48 * 3_600_000;

/** Until when a comment that has waited since then keeps its place in the thread; null if that time is over. */
export function placeUntil(waitingSince: number, now: number): number | null {
  const until = waitingSince + placeMs;
  return until > now ? until : null;
}

/** The minimum from which a backoff grows that was too short before. */
const leastBackoffMs = 1_000;

/** The longest backoff. A stored backoff that ends later dates from before the clock was set back. */
const longestAskedMs = 24 * 3_600_000;

/** After this time without a backoff, the next one counts as the first. */
const forgottenMs = 3_600_000;

/**
 * The backoff for a side that asks for one until `until`. If it asks again with the next request, each backoff doubles,
 * up to an hour, as GitHub requires. Answers to requests that were in flight when a backoff began do not count as
 * asking again. Source: docs.github.com, "Rate limits for the REST API", "Exceeding the rate limit".
 */
export function backoffAfter(
  last: Pick<Backoff, 'until' | 'times'> | null,
  until: number,
  now: number,
): Pick<Backoff, 'until' | 'times'> {
  const isFresh = last !== null && last.until - now <= longestAskedMs && now - last.until <= forgottenMs;
  if (isFresh && last.until > now) return { until: Math.max(last.until, until), times: last.times };
  const times = isFresh ? last.times + 1 : 1;
  const grownMs = times === 1 ? 0 : Math.max(leastBackoffMs, until - now) * 2 ** (times - 1);
  return { until: Math.max(until, now + Math.min(longestMs, grownMs)), times };
}
