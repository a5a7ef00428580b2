import type { Random } from '../../support/random.ts';

/** A number from a bell curve around 0, by Box and Muller. */
const bell = (draw: Random): number => Math.sqrt(-2 * Math.log(1 - draw.next())) * Math.cos(2 * Math.PI * draw.next());

/** Skewed as lengths and counts of a tracker are: half of all lie below the median, and a few far above it. */
export const skewed = (draw: Random, median: number, spread: number): number => median * Math.exp(spread * bell(draw));

/** So many counts with this sum, most of them small and a few in the hundreds. */
export function skewedCounts(draw: Random, count: number, sum: number, countMax: number): readonly number[] {
  const median = (sum / count) * 0.6;
  const counts = Array.from({ length: count }, () => Math.min(countMax, Math.floor(skewed(draw, median, 1.05))));
  let left = sum - counts.reduce((total, each) => total + each, 0);
  while (left !== 0) {
    const at = draw.below(count);
    const next = (counts[at] ?? 0) + Math.sign(left);
    if (next < 0) continue;
    counts[at] = next;
    left -= Math.sign(left);
  }
  return counts;
}
