import type { Asked } from './sides.ts';

const pointsPerWrite = 5;
const hourMs = 3_600_000;
const minuteMs = 60_000;

const pointsOf = ({ isWrite }: Asked): number => (isWrite ? pointsPerWrite : 1);

/**
 * How close the program came to them: the shortest time between two writes, and the most within any minute and any
 * hour.
 */
export function sharpest(asked: readonly Asked[]) {
  const counted = asked.filter(({ isFree }) => !isFree);
  const writes = counted.filter(({ isWrite }) => isWrite);
  const gaps = writes.slice(1).map(({ at }, index) => at - (writes[index]?.at ?? 0));
  return {
    shortestGapMs: gaps.reduce((least, gap) => Math.min(least, gap), Number.MAX_SAFE_INTEGER),
    mostPointsInAMinute: mostWithin(counted, minuteMs, pointsOf),
    mostRequestsInAnHour: mostWithin(counted, hourMs, () => 1),
  };
}

function mostWithin(asked: readonly Asked[], windowMs: number, weigh: (asked: Asked) => number): number {
  let [most, sum, first] = [0, 0, 0];
  for (const each of asked) {
    sum += weigh(each);
    for (let out = asked[first]; out !== undefined && out.at <= each.at - windowMs; out = asked[first]) {
      sum -= weigh(out);
      first += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}
