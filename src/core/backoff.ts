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
