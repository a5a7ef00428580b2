import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type GifFrame, gifOf } from '../../scripts/record/gif.ts';
import { readPng } from '../../scripts/record/png.ts';
import { read, root } from './documents.ts';

describe('the picture of the README', () => {
  const picture = readFileSync(join(root, 'docs/demo.gif'));

  test('stands at its top, and is small enough for it', () => {
    expect(
      read('README.md')
        .split('\n')
        .findIndex((line) => line.includes('](docs/demo.gif)')),
    ).toBeLessThan(10);
    expect(picture.length).toBeLessThan(1_000_000);
  });

  test('moves, and is wide enough to be read', () => {
    const { width, height, frames } = readGif(picture);
    expect([width, height]).toEqual([960, 540]);
    expect(frames.length).toBeGreaterThan(10);
  });
});

describe('an animation', () => {
  const width = 40;
  const height = 30;
  const frame = (colourAt: (x: number, y: number) => number, showMs = 100): GifFrame => ({
    width,
    height,
    showMs,
    pixels: Uint8Array.from({ length: width * height * 3 }, (_none, at) => {
      const pixel = Math.floor(at / 3);
      return (colourAt(pixel % width, Math.floor(pixel / width)) >> (16 - 8 * (at % 3))) & 255;
    }),
  });
  const [red, blue] = [0xff0000, 0x0000ff];

  test('of few colours arrives pixel for pixel', () => {
    const drawn = [frame(() => red), frame((x, y) => (x > 5 && x < 9 && y === 7 ? blue : red), 2500), frame((x) => x * 5 + 1)];
    const { frames } = readGif(gifOf(drawn));
    expect(frames.map(({ showMs }) => showMs)).toEqual([100, 2500, 100]);
    for (const [index, { pixels }] of drawn.entries()) expect(Buffer.from(frames[index]?.pixels ?? []).equals(pixels)).toBe(true);
  });

  test('stores only what changes', () => {
    const still = gifOf([frame(() => red)]).length;
    expect(gifOf([frame(() => red), frame(() => red), frame(() => red)]).length).toBeLessThan(still + 60);
  });

  test('of a great many colours stays near them, however long it is', () => {
    const noise = (x: number, y: number, seed: number) => ((x * 7919 + y * 104729 + seed * 31) * 2654435761) & 0xffffff;
    const drawn = Array.from({ length: 8 }, (_none, seed) => frame((x, y) => noise(x, y, seed)));
    const { frames } = readGif(gifOf(drawn));
    expect(frames).toHaveLength(8);
    const off = drawn.flatMap(({ pixels }, index) => [...pixels].map((value, at) => Math.abs(value - (frames[index]?.pixels[at] ?? 999))));
    expect(off.reduce((sum, each) => sum + each, 0) / off.length).toBeLessThan(25);
  });
});

test.each([0, 1, 2, 3, 4])('a PNG with filter %i is read', (filter) => {
  const rows = Buffer.from([filter, 10, 20, 30, 255, 40, 50, 60, 255, filter, 5, 5, 5, 0, 1, 2, 3, 0]);
  const chunk = (name: string, data: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const size = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0]);
  const png = Buffer.concat([Buffer.alloc(8), chunk('IHDR', size), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
  const expected: Readonly<Record<number, readonly number[]>> = {
    0: [10, 20, 30, 40, 50, 60, 5, 5, 5, 1, 2, 3],
    1: [10, 20, 30, 50, 70, 90, 5, 5, 5, 6, 7, 8],
    2: [10, 20, 30, 40, 50, 60, 15, 25, 35, 41, 52, 63],
    3: [10, 20, 30, 45, 60, 75, 10, 15, 20, 28, 39, 50],
    4: [10, 20, 30, 50, 70, 90, 15, 25, 35, 51, 72, 93],
  };
  expect([...readPng(png).pixels]).toEqual(expected[filter]);
});

interface Shown {
  readonly showMs: number;
  readonly pixels: Uint8Array;
}

/** Reads what `gifOf` writes, by the specification of GIF and not by its code. */
function readGif(gif: Uint8Array): { readonly width: number; readonly height: number; readonly frames: readonly Shown[] } {
  const short = (at: number): number => (gif[at] ?? 0) + 256 * (gif[at + 1] ?? 0);
  const [width, height] = [short(6), short(8)];
  const table = gif.subarray(13, 13 + 768);
  const canvas = new Uint8Array(width * height * 3);
  const frames: Shown[] = [];
  let at = 13 + 768;
  let [showMs, transparent] = [0, -1];
  while (gif[at] !== 0x3b) {
    const isControl = gif[at] === 0x21 && gif[at + 1] === 0xf9;
    if (isControl) [showMs, transparent] = [short(at + 4) * 10, gif[at + 6] ?? -1];
    const isImage = gif[at] === 0x2c;
    const [x, y, w] = [short(at + 1), short(at + 3), short(at + 5)];
    at += isImage ? 11 : 2;
    const data: number[] = [];
    for (; (gif[at] ?? 0) > 0; at += (gif[at] ?? 0) + 1) data.push(...gif.subarray(at + 1, at + 1 + (gif[at] ?? 0)));
    at += 1;
    if (!isImage) continue;
    for (const [index, colour] of expanded(data).entries()) {
      if (colour === transparent) continue;
      const place = (y + Math.floor(index / w)) * width + x + (index % w);
      canvas.set(table.subarray(colour * 3, colour * 3 + 3), place * 3);
    }
    frames.push({ showMs, pixels: Uint8Array.from(canvas) });
  }
  return { width, height, frames };
}

function expanded(data: readonly number[]): readonly number[] {
  const start = (): number[][] => Array.from({ length: 258 }, (_none, code) => (code < 256 ? [code] : []));
  let codes = start();
  let before: readonly number[] = [];
  const out: number[] = [];
  let [bits, position] = [9, 0];
  for (;;) {
    let code = 0;
    for (let bit = 0; bit < bits; bit += 1, position += 1) code |= (((data[position >> 3] ?? 0) >> (position & 7)) & 1) << bit;
    if (code === 257) return out;
    if (code === 256) {
      codes = start();
      [bits, before] = [9, []];
      continue;
    }
    const known = codes[code] ?? [...before, before[0] ?? 0];
    if (before.length > 0 && codes.length < 4096) codes.push([...before, known[0] ?? 0]);
    if (codes.length === 1 << bits && bits < 12) bits += 1;
    out.push(...known);
    before = known;
  }
}
