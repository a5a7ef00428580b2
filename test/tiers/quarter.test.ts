import { describe, expect, test } from 'vitest';
import { spread } from './depth.ts';
import { quarters, rows } from './tiers.ts';

describe('files of which npm test runs a quarter', () => {
  test('run as a whole in the deep tier', () => {
    const files = rows.flatMap(({ files, runs }) => (runs.deep === '' ? [] : files));
    expect([...quarters].filter((file) => !files.includes(file))).toEqual([]);
    expect(quarters.size).toBeGreaterThan(20);
  });

  test('hold no invariant that no other file of npm test holds as a whole', () => {
    const whole = new Set(
      rows.flatMap(({ files, runs, holds }) =>
        runs.test + runs.check === '' || files.some((file) => quarters.has(file)) ? [] : holds,
      ),
    );
    expect(rows.flatMap(({ holds }) => holds).filter((id) => !whole.has(id))).toEqual([]);
  });
});

test.each([
  [10, 1, [0]],
  [10, 3, [0, 3, 6]],
  [4, 3, [0, 1, 2]],
  [2, 3, [0, 1]],
  [0, 3, []],
])('of %i, %i are spread over the list', (length, count, chosen) => {
  expect(
    spread(
      Array.from({ length }, (_, index) => index),
      count,
    ),
  ).toEqual(chosen);
});
