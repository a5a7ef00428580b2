import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from './documents.ts';

const picture = readFileSync(join(root, 'docs/demo.gif'));

test('the picture of the README is at its top, and small enough for it', () => {
  const lines = read('README.md').split('\n');
  expect(lines.findIndex((line) => line.includes('](docs/demo.gif)'))).toBeLessThan(10);
  expect(picture.length).toBeLessThan(1_000_000);
});

test('the picture of the README moves, and is wide enough to be read', () => {
  expect([picture.readUInt16LE(6), picture.readUInt16LE(8)]).toEqual([960, 540]);
  // Each frame begins with its delay: the sign of an extension, its kind, and the length of four.
  const frames = picture.toString('latin1').split('\x21\xf9\x04').length - 1;
  expect(frames).toBeGreaterThan(10);
});
