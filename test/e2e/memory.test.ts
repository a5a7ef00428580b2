import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * What files cost in memory while they cross. The tracker gives contents as base64 in JSON and a branch takes them so,
 * so that a content stands there several times over for a moment; what must not happen is that several contents do.
 */
const program = resolve(import.meta.dirname, 'carry.ts');
const bytes = 20_000_000;
const count = 10;

const peakOf = (store: string, way: string): number =>
  Number(
    execFileSync(process.execPath, ['--expose-gc', program, store, String(count), String(bytes), way], {
      encoding: 'utf8',
    }),
  );

/** Measured are 5 to 8 times one content, as the collector comes by; each content that were kept would add one. */
const shareMax = 11;

test.each(['branch', 'release'])(
  'ten files of 20 megabytes cost no more memory at a time than one may, to the store %s',
  (store) => {
    const peak = peakOf(store, 'pass on');
    expect(peak).toBeGreaterThan(bytes);
    expect(peak).toBeLessThan(shareMax * bytes);
  },
);

test('contents that are kept are noticed', () => {
  expect(peakOf('branch', 'hold')).toBeGreaterThan(shareMax * bytes);
});
