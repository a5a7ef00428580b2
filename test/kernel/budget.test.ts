/** I6: what may be spent within a window is never exceeded, and nothing waits longer than it must. */

import { describe, expect, test } from 'vitest';
import type { Spent } from '../../src/model/store.ts';
import { type Allowance, allowedAt } from '../../src/rules/limits/brake-and-budget.ts';
import { random } from '../support/random.ts';

const minute: Allowance = { windowMs: 60_000, pointsMax: 20, name: 'creations a minute' };
const hour: Allowance = { windowMs: 3_600_000, pointsMax: 120, name: 'creations an hour' };

describe('a budget', () => {
  test.each([
    { name: 'nothing was spent', spent: [], at: 500, because: null },
    { name: 'there is room', spent: times(19, 100), at: 500, because: null },
    { name: 'the minute is full', spent: times(20, 100), at: 60_100, because: 'creations a minute' },
    {
      name: 'the minute is more than full',
      spent: [...times(20, 100), ...times(1, 200)],
      at: 60_100,
      because: 'creations a minute',
    },
    { name: 'what was spent just leaves the window', spent: times(20, 500 - 60_000), at: 500, because: null },
    {
      name: 'what was spent leaves it in a moment',
      spent: times(20, 501 - 60_000),
      at: 501,
      because: 'creations a minute',
    },
  ])('when $name', ({ spent, at, because }) => {
    expect(allowedAt(spent, [minute, hour], 1, 500)).toEqual({ at, name: because });
  });

  test('waits for the window that is free last', () => {
    const spent = Array.from({ length: 120 }, (_, index) => ({ at: index * 4000, points: 1 }));
    expect(allowedAt(spent, [minute, hour], 1, 480_000)).toEqual({ at: 3_600_000, name: 'creations an hour' });
  });

  test('what costs more than a window holds waits until the window is empty, and not for ever', () => {
    expect(allowedAt(times(1, 400), [minute], 25, 500).at).toBe(60_500);
  });

  test('no window ever holds more than it may, and whoever waits could not have gone before', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const r = random(seed);
      const allowances = [
        { windowMs: 1000 + r.below(5000), pointsMax: 1 + r.below(5), name: 'short' },
        { windowMs: 10_000 + r.below(20_000), pointsMax: 5 + r.below(10), name: 'long' },
      ];
      const spent: Spent[] = [];
      let now = 0;
      for (let step = 0; step < 150; step += 1) {
        now += r.below(800);
        const { at } = allowedAt(r.shuffle(spent), allowances, 1, now);
        expect(at).toBeGreaterThanOrEqual(now);
        if (at > now) expect(fits(spent, allowances, at - 1)).toBe(false);
        expect(fits(spent, allowances, at)).toBe(true);
        now = at;
        spent.push({ at, points: 1 });
      }
    }
  });
});

/** Whether one more point at that moment keeps every window within its limit, counted afresh. */
function fits(spent: readonly Spent[], allowances: readonly Allowance[], moment: number): boolean {
  return allowances.every(
    ({ windowMs, pointsMax }) => spent.filter(({ at }) => at > moment - windowMs && at <= moment).length < pointsMax,
  );
}

function times(count: number, at: number): readonly Spent[] {
  return Array.from({ length: count }, () => ({ at, points: 1 }));
}
