import fc from 'fast-check';
import { parse } from 'node-cron';
import { describe, expect, test } from 'vitest';
import { cronComplaint } from '../../src/config/check-cron.ts';
import { slotsOf } from '../../src/runtime/slots.ts';
import { problemsOf, smallest } from './sample.ts';

/** Whatever the configuration accepts, the schedule runs. */
const now = Date.UTC(2026, 10, 29, 16);

const names = ['jan', 'Feb', 'JUN', 'dec', 'sun', 'Mon', 'FRI', 'sat'];
const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 61 })).map(String);
const word = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom(...names, '007', '08') },
);
const base = fc.oneof(
  fc.constant('*'),
  word,
  fc.tuple(word, word).map(([from, to]) => `${from}-${to}`),
);
const entry = fc.oneof(
  base,
  fc.tuple(base, number).map(([of, step]) => `${of}/${step}`),
  fc.constantFrom('?', 'L', '15W', '5#2', '5L', 'L-3', '@daily', ''),
);
const field = fc.oneof(
  { weight: 6, arbitrary: fc.constant('*') },
  { weight: 3, arbitrary: fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => entries.join(',')) },
);
const space = fc.constantFrom(' ', '  ', '\t', '\n', '\u00a0', '\r\n', '\u2003');
const expression = fc
  .tuple(fc.array(fc.tuple(field, space), { minLength: 5, maxLength: 6 }), fc.constantFrom('', ' ', '\t'))
  .map(([fields, before]) => before + fields.map((each) => each.join('')).join(''));

describe('an expression that the configuration accepts', () => {
  test('has a next moment', () => {
    let accepted = 0;
    const comes = fc.property(expression, (drawn) => {
      if (cronComplaint(drawn) !== null) return;
      accepted += 1;
      expect(slotsOf(drawn).after(now)).not.toBeNull();
    });
    fc.assert(comes, { numRuns: 3_000, seed: 22 });
    expect(accepted).toBeGreaterThan(150);
  });

  test('is refused for its days only if the library refuses it, or finds none', () => {
    const never = fc.property(expression, (drawn) => {
      if (cronComplaint(drawn)?.startsWith('never comes') !== true) return;
      expect(() => parse(drawn.trim().split(/\s+/u).join(' '))).toThrow('impossible day');
    });
    fc.assert(never, { numRuns: 3_000, seed: 22 });
  });
});

test.each([
  ['sweep: "0 0 30 2 *"', ['11:13 schedule.sweep never comes: none of its months has such a day']],
  ['poll: "0 0 31 4,6,9,11 *"', ['11:13 schedule.poll never comes: none of its months has such a day']],
  ['sweep: "17\\t3 * * *"', []],
  ['sweep: "0 0 29 2 *"', []],
])('a schedule with %s is told with its line', (line, problems) => {
  expect(problemsOf(`${smallest}schedule: { ${line} }\n`)).toEqual(problems);
});
