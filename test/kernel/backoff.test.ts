import { expect, test } from 'vitest';
import { backoffAfter, backoffMs } from '../../src/rules/limits/backoff.ts';

test.each([
  [0, 30_000],
  [1, 30_000],
  [2, 60_000],
  [3, 120_000],
  [7, 1_920_000],
  [8, 3_600_000],
  [50, 3_600_000],
  [5000, 3_600_000],
])('after %i attempts the next one waits %i milliseconds', (attempts, waitMs) => {
  expect(backoffMs(attempts, 0)).toBe(waitMs);
});

test('what failed together is spread over a quarter of the wait', () => {
  for (const spread of [0, 0.25, 0.5, 0.999]) {
    expect(backoffMs(3, spread)).toBeLessThanOrEqual(120_000);
    expect(backoffMs(3, spread)).toBeGreaterThanOrEqual(90_000);
  }
  expect(backoffMs(3, 0.5)).toBe(105_000);
});

const minuteMs = 60_000;
const asked = (times: number, until = 0) => ({ until, why: 'slow down', times });

test('a first pause lasts as long as it was asked for', () => {
  expect(backoffAfter(null, 5_000, 0)).toEqual({ until: 5_000, times: 1 });
  expect(backoffAfter(asked(0), 5_000, 1_000)).toEqual({ until: 5_000, times: 1 });
});

test.each([
  [1, 2],
  [2, 4],
  [3, 8],
  [5, 32],
  [6, 60],
  [60, 60],
])('who was asked %i times in a row and asks again is left alone for %i minutes', (times, minutes) => {
  expect(backoffAfter(asked(times), minuteMs, 0)).toEqual({ until: minutes * minuteMs, times: times + 1 });
});

test('a short pause grows from what was asked for, and none at all from a second', () => {
  expect(backoffAfter(asked(3), 5_000, 0)).toEqual({ until: 40_000, times: 4 });
  expect(backoffAfter(asked(3), 0, 0)).toEqual({ until: 8_000, times: 4 });
});

test('a longer pause is kept to, whatever the row is', () => {
  expect(backoffAfter(asked(3), 90 * minuteMs, 0)).toEqual({ until: 90 * minuteMs, times: 4 });
});

test('requests that were on their way are no repetition, and may make the pause longer', () => {
  expect(backoffAfter(asked(2, 10_000), 5_000, 1_000)).toEqual({ until: 10_000, times: 2 });
  expect(backoffAfter(asked(2, 10_000), 15_000, 1_000)).toEqual({ until: 15_000, times: 2 });
});

test('an hour after its end a pause is forgotten', () => {
  expect(backoffAfter(asked(4), 61 * minuteMs, 60 * minuteMs + 1)).toEqual({ until: 61 * minuteMs, times: 1 });
});
