import type { Picture } from './png.ts';

export interface GifFrame extends Picture {
  readonly showMs: number;
}

/** The last colour of the table stands for pixels that stay as they were. */
const unchanged = 255;
const bitsPerPixel = 8;

/** An animation that repeats for ever. All frames have the size of the first one. */
export function gifOf(frames: readonly GifFrame[]): Uint8Array {
  const [first] = frames;
  if (first === undefined) throw new Error('an animation needs a frame');
  const palette = paletteOf(frames, unchanged);
  const nearest = nearestIn(palette);
  const parts: Uint8Array[] = [
    Buffer.from('GIF89a', 'latin1'),
    Uint8Array.from([...short(first.width), ...short(first.height), 0xf7, 0, 0]),
    Uint8Array.from({ length: 768 }, (_none, index) => ((palette[Math.floor(index / 3)] ?? 0) >> (16 - 8 * (index % 3))) & 255),
    Uint8Array.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0', 'latin1'), 3, 1, 0, 0, 0]),
  ];
  let before: Uint8Array | null = null;
  for (const { width, height, pixels, showMs } of frames) {
    const now = Uint8Array.from({ length: width * height }, (_none, at) => nearest(colourAt(pixels, at)));
    const { x, y, w, h } = changedIn(before, now, width, height);
    const inside = new Uint8Array(w * h);
    for (let row = 0; row < h; row += 1)
      for (let column = 0; column < w; column += 1) {
        const at = (y + row) * width + x + column;
        inside[row * w + column] = before !== null && before[at] === now[at] ? unchanged : (now[at] ?? 0);
      }
    parts.push(Uint8Array.from([0x21, 0xf9, 4, 0b101, ...short(Math.round(showMs / 10)), unchanged, 0]));
    parts.push(Uint8Array.from([0x2c, ...short(x), ...short(y), ...short(w), ...short(h), 0, bitsPerPixel]), blocksOf(compressed(inside)));
    before = now;
  }
  return Buffer.concat([...parts, Uint8Array.of(0x3b)]);
}

const short = (value: number): readonly [number, number] => [value & 255, value >> 8];
const colourAt = (pixels: Uint8Array, at: number): number =>
  ((pixels[at * 3] ?? 0) << 16) | ((pixels[at * 3 + 1] ?? 0) << 8) | (pixels[at * 3 + 2] ?? 0);

/** The rectangle outside of which nothing changed; one pixel if nothing did. */
function changedIn(before: Uint8Array | null, now: Uint8Array, width: number, height: number) {
  if (before === null) return { x: 0, y: 0, w: width, h: height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < now.length; at += 1) {
    if (before[at] === now[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? { x: 0, y: 0, w: 1, h: 1 } : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

/** At most `max` colours, by median cut: the box with the most pixels is halved along its longest side. */
function paletteOf(frames: readonly Picture[], max: number): readonly number[] {
  const counts = new Map<number, number>();
  for (const { pixels } of frames)
    for (let at = 0; at < pixels.length / 3; at += 1) {
      const colour = colourAt(pixels, at);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  const boxes: number[][] = [[...counts.keys()]];
  const weight = (box: readonly number[]): number =>
    box.length < 2 ? 0 : box.reduce((sum, each) => sum + Math.sqrt(counts.get(each) ?? 0), 0);
  while (boxes.length < max) {
    const widest = boxes.reduce((one, other) => (weight(other) > weight(one) ? other : one));
    if (widest.length < 2) break;
    const shift = [16, 8, 0].reduce((one, other) => (spread(widest, other) > spread(widest, one) ? other : one));
    widest.sort((one, other) => ((one >> shift) & 255) - ((other >> shift) & 255));
    boxes.push(widest.splice(widest.length >> 1));
  }
  // The most frequent colour of a box, not its mean: large areas keep their exact colour.
  return boxes.map((box) => box.reduce((one, other) => ((counts.get(other) ?? 0) > (counts.get(one) ?? 0) ? other : one)));
}

const spread = (box: readonly number[], shift: number): number => {
  let [low, high] = [255, 0];
  for (const colour of box) {
    const value = (colour >> shift) & 255;
    [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return high - low;
};

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  const distance = (one: number, other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return (colour) => {
    const found = known.get(colour);
    if (found !== undefined) return found;
    let best = 0;
    for (let index = 1; index < palette.length; index += 1)
      if (distance(palette[index] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = index;
    known.set(colour, best);
    return best;
  };
}

const clear = 1 << bitsPerPixel;
const codesMax = 4096;

/** LZW with codes of growing width, as GIF wants it. */
function compressed(indices: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let [held, heldBits, bits] = [0, 0, bitsPerPixel + 1];
  const put = (code: number) => {
    held |= code << heldBits;
    for (heldBits += bits; heldBits >= 8; heldBits -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  let codes = new Map<number, number>();
  let next = clear + 2;
  put(clear);
  let prefix = indices[0] ?? 0;
  for (const index of indices.subarray(1)) {
    const key = (prefix << bitsPerPixel) | index;
    const code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    if (next < codesMax) {
      codes.set(key, next);
      next += 1;
      if (next > 1 << bits && bits < 12) bits += 1;
    } else {
      put(clear);
      codes = new Map();
      [next, bits] = [clear + 2, bitsPerPixel + 1];
    }
    prefix = index;
  }
  put(prefix);
  // The reader has learnt one more code by now.
  if (next + 1 > 1 << bits && bits < 12) bits += 1;
  put(clear + 1);
  if (heldBits > 0) bytes.push(held & 255);
  return Uint8Array.from(bytes);
}

/** In blocks of at most 255 bytes, each with its length, and an empty one at the end. */
function blocksOf(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const part = data.subarray(at, at + 255);
    parts.push(Uint8Array.of(part.length), part);
  }
  return Buffer.concat([...parts, Uint8Array.of(0)]);
}
