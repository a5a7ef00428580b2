import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * What a file costs in memory while it crosses. The tracker gives contents as base64 in JSON and GitHub takes them so, so that a content
 * stands there several times over for a moment; what must not happen is that several contents do.
 */
const program = resolve(import.meta.dirname, 'carry.ts');
const bytes = 20_000_000;

const peakOf = (count: number): number =>
  Number(execFileSync(process.execPath, ['--expose-gc', program, String(count), String(bytes)], { encoding: 'utf8' }));

/** Measured are 5 to 8 times the content, as the collector comes by; each content that were kept would add one. */
const shareMax = 11;

test('eight files of 20 megabytes cost no more memory at a time than one may', () => {
  expect(peakOf(1)).toBeGreaterThan(bytes);
  expect(peakOf(8)).toBeLessThan(shareMax * bytes);
}, 120_000);
