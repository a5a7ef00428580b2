import { expect, test } from 'vitest';
import { durationInWords, durationOf, type Pace, untilCreated, type Work } from '../../src/kernel/duration.ts';

const pace: Pace = {
  pointsPerMinute: 600,
  pauseBetweenWritesMs: 1_000,
  createsPerMinute: 15,
  createsPerHour: 120,
  trackerRequestsPerSecond: 5,
};

test.each<[Partial<Work>, number, RegExp]>([
  [{ writes: 1_000 }, 1_000_000, /pause/],
  // The hour's allowance is there from the beginning: only what exceeds it waits.
  [{ writes: 10, reads: 53 }, 10_300, /points a minute/],
  [{ reads: 5_001 }, 3_600_000, /requests an hour/],
  [{ reads: 10_001 }, 7_200_000, /requests an hour/],
  [{ creations: 10 }, 40_000, /creations a minute/],
  [{ creations: 121 }, 3_600_000, /creations an hour/],
  [{ trackerRequests: 50_000 }, 10_000_000, /tracker/],
  [{}, 0, /./],
])('%j takes what its narrowest limit allows', (work, ms, limit) => {
  const duration = durationOf({ reads: 0, writes: 0, creations: 0, trackerRequests: 0, ...work }, pace);
  expect(Math.round(duration.ms)).toBeGreaterThanOrEqual(ms);
  expect(duration.ms).toBeLessThan(ms * 1.02 + 1);
  expect(duration.limitedBy).toMatch(limit);
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
  expect(untilCreated(creations, [minute, { left, max: 120, windowMs: 3_600_000 }])).toBe(
    Math.max(ms, Math.ceil(Math.max(0, creations - 15) / 15) * 60_000),
  );
});
