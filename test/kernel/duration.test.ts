import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  durationInWords,
  durationOf,
  type Pace,
  type Remaining,
  untilCreated,
  type Work,
} from '../../src/model/duration.ts';

const pace: Pace = {
  pointsPerMinute: 600,
  pauseBetweenWritesMs: 1_000,
  trackerRequestsPerSecond: 5,
  creations: [
    { left: 15, max: 15, windowMs: 60_000 },
    { left: 120, max: 120, windowMs: 3_600_000 },
  ],
};

test.each<[Partial<Work>, number, RegExp]>([
  [{ writes: 1_000 }, 1_000_000, /pause/],
  // The hour's allowance is there from the beginning: only what exceeds it waits.
  [{ writes: 10, reads: 53 }, 10_300, /points a minute/],
  [{ reads: 5_001 }, 3_600_000, /requests an hour/],
  [{ reads: 10_001 }, 7_200_000, /requests an hour/],
  [{ creations: 30 }, 60_000, /creations that GitHub allows/],
  [{ creations: 121 }, 3_600_000, /creations that GitHub allows/],
  [{ trackerRequests: 50_000 }, 10_000_000, /tracker/],
  [{}, 0, /./],
])('%j takes what its narrowest limit allows', (work, ms, limit) => {
  const duration = durationOf({ reads: 0, writes: 0, creations: 0, trackerRequests: 0, ...work }, pace);
  expect(Math.round(duration.ms)).toBeGreaterThanOrEqual(ms);
  expect(duration.ms).toBeLessThan(ms * 1.02 + 1);
  expect(duration.limitedBy).toMatch(limit);
});

test('a limit of writes in a cycle counts for all writes, a minute apart', () => {
  const work = { reads: 0, writes: 20, creations: 10, trackerRequests: 0 };
  expect(durationOf(work, { ...pace, writesPerCycle: 5 })).toEqual({
    ms: 5 * 60_000,
    limitedBy: 'the writes that a cycle may make (limits.writesPerCycle)',
  });
  expect(durationOf(work, { ...pace, writesPerCycle: 500 }).limitedBy).toMatch(/pause/u);
});

test.each([
  [0, '0 s'],
  [89_000, '89 s'],
  [90_000, '2 min'],
  [5_400_000, '1 h 30 min'],
  [7_200_000, '2 h'],
  [400_000_000, '5 days'],
])('%i ms are %s', (ms, words) => expect(durationInWords(ms)).toBe(words));

test.each([
  [0, 120, 0],
  [120, 120, 0],
  [121, 120, 3_600_000],
  [1, 0, 3_600_000],
  [600, 0, 18_000_000],
])('%i creations with %i left in the hour take %i ms', (creations, left, ms) => {
  const minute = { left: 15, max: 15, windowMs: 60_000 };
  expect(untilCreated(creations, [{ left, max: 120, windowMs: 3_600_000 }])).toBe(ms);
  // The last hour's share goes by fifteen a minute.
  const both = untilCreated(creations, [minute, { left, max: 120, windowMs: 3_600_000 }]);
  expect(both).toBeGreaterThanOrEqual(ms);
  expect(both).toBeLessThanOrEqual(ms + 7 * 60_000);
});

/** A rate that may rise: what the bridge begins with, and what GitHub documents. */
const rising: readonly Remaining[] = [
  { left: 15, max: 15, windowMs: 60_000, risesTo: 80 },
  { left: 120, max: 120, windowMs: 3_600_000, risesTo: 500 },
];

test.each([
  [15, 0],
  [16, 60_000],
  [45, 60_000],
  [120, 3 * 60_000],
  [121, 18 * 60_000],
  [500, 52 * 60_000],
])('%i creations take %i ms while the rate rises', (creations, ms) => expect(untilCreated(creations, rising)).toBe(ms));

test('what rises ends where the documented rate is the limit', () => {
  const hours = (creations: number) => untilCreated(creations, rising) / 3_600_000;
  // As `bench` measures it with the engine itself: 20.3 hours.
  expect(hours(10_000)).toBeGreaterThan(19);
  expect(hours(10_000)).toBeLessThan(21);
  const fixed = rising.map(({ risesTo, ...each }) => ({ ...each, max: risesTo ?? 0, left: risesTo ?? 0 }));
  fc.assert(
    fc.property(fc.nat(20_000), (creations) => {
      expect(untilCreated(creations, rising)).toBeGreaterThanOrEqual(untilCreated(creations, fixed));
      expect(untilCreated(creations + 1, rising)).toBeGreaterThanOrEqual(untilCreated(creations, rising));
    }),
    { numRuns: 200 },
  );
});
