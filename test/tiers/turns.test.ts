import { describe, expect, test } from 'vitest';
import { hasTurn, rows, turns } from './tiers.ts';

const names = Array.from({ length: 900 }, (_, at) => `a copy > is renewed (${at})`);
const drawn = (day: number, days: number): readonly string[] => names.filter((name) => hasTurn(name, day, days));

describe('tests that take turns', () => {
  test('are a quarter each day, and all of them within some weeks', () => {
    for (let day = 20_782; day < 20_792; day += 1) {
      expect(drawn(day, 4).length).toBeGreaterThan(170);
      expect(drawn(day, 4).length).toBeLessThan(280);
    }
    expect(new Set(Array.from({ length: 60 }, (_, at) => drawn(20_782 + at, 4)).flat()).size).toBe(names.length);
  });

  test('are the same for whoever runs them on that day, and others on the next', () => {
    expect(drawn(20_782, 4)).toEqual(drawn(20_782, 4));
    expect(drawn(20_783, 4)).not.toEqual(drawn(20_782, 4));
  });

  test('are all of a file that takes none', () => {
    expect(drawn(20_782, 1)).toEqual(names);
  });

  test('run as a whole in the deep tier', () => {
    const files = rows.flatMap(({ files, runs }) => (runs.deep === '' ? [] : files));
    expect([...turns.keys()].filter((file) => !files.includes(file))).toEqual([]);
    expect(turns.size).toBeGreaterThan(20);
  });

  test('hold no invariant that no other file of npm test holds as a whole', () => {
    const whole = new Set(
      rows.flatMap(({ files, runs, holds }) => (runs.test + runs.check === '' || files.some((file) => turns.has(file)) ? [] : holds)),
    );
    expect(rows.flatMap(({ holds }) => holds).filter((id) => !whole.has(id))).toEqual([]);
  });
});
