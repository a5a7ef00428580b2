/**
 * A firewall may answer 429 or 503 whenever it meets a certain text, also in an answer to a read. If a side asks for a
 * pause again and again, and answers other reads meanwhile, that concerns what is read.
 */
export interface Pauses {
  /** Whether the side asked for a pause a short time ago. Notes that it does now. */
  wasAsked(): boolean;
}

/** For so long after a pause, the next one is another of the same: what is read so is tried again each day. */
const recentMs = 25 * 3_600_000;

/** @param lastEndsAt when the last pause ends or ended, perhaps one of an earlier process; epoch milliseconds */
export function pauses(now: () => number, lastEndsAt: () => number | null): Pauses {
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    wasAsked() {
      const wasAsked = now() - Math.max(askedAt, lastEndsAt() ?? askedAt) <= recentMs;
      askedAt = now();
      return wasAsked;
    },
  };
}
