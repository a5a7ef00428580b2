import { expect, test } from 'vitest';
import { backoffMs } from '../../src/core/backoff.ts';

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
