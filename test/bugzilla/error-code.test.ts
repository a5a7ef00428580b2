import { describe, expect, test } from 'vitest';
import { kindOfCode } from '../../src/bugzilla/connection/error-code.ts';
import { kindOfTrackerCode, type TrackerErrorKind, trackerCode } from '../../src/bugzilla/connection/errors.ts';
import { allRecorded } from './api/recorded.ts';

/** Every code that 5.0, 5.2, 5.3, harmony and BMO are known to give, as it comes over the wire. */
const table: readonly (readonly [TrackerErrorKind, readonly (number | string)[]])[] = [
  ['credentials', [300, 301, 302, 303, -303, 305, 306, 307, 410, '410']],
  ['missing', [100, 101, '101', 111]],
  ['hidden', [102, 110]],
  ['absent', [32614]],
  [
    'invalid',
    [
      50, 51, 52, 53, 54, 55, 56, 57, 58, 103, 104, 105, 107, 108, 112, 114, 116, 117, 118, 119, 126, 127, 128, 129,
      132, 133, 135,
    ],
  ],
  ['invalid', [504, 600, 601, 603, 604, 606, 804, 1000, 32610, 32611, 32612, 32613, 67399, -32601]],
  [
    'refused',
    [
      106, 109, 113, 115, 120, 121, 122, 123, 125, 130, 131, 134, 136, 137, 138, 139, 140, 304, 500, 501, 502, 505, 805,
      900, 32000,
    ],
  ],
  ['unavailable', [1001]],
  ['unknown-outcome', [100500, 68000, -32000]],
];

const rows = table.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const));

describe('the kind of an error', () => {
  test.each(rows)('with code %s is %s, decided and not by default', (raw, kind) => {
    const code = trackerCode(raw);
    expect(code).not.toBeNull();
    expect(kindOfTrackerCode(code ?? 0)).toBe(kind);
    expect(Object.keys(kindOfCode)).toContain(String(code));
  });

  test('is decided for every code that was ever recorded', () => {
    const codes = allRecorded().flatMap(({ response: { body } }) =>
      typeof body === 'object' && body !== null && 'code' in body ? [trackerCode(body.code)] : [],
    );
    expect(new Set(codes).size).toBeGreaterThan(45);
    expect([...new Set(codes)].filter((code) => !(String(code) in kindOfCode))).toEqual([]);
  });

  test('with an unknown code is a plain refusal', () => {
    expect([701, 1205, 1400, 99_999_999].map(kindOfTrackerCode)).toEqual(['refused', 'refused', 'refused', 'refused']);
  });
});
