import { inflateSync } from 'node:zlib';

/** Pixels as red, green and blue, one byte each, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Reads a PNG as browsers write it for screenshots: 8 bits, with or without alpha, not interlaced. */
export function readPng(png: Uint8Array): Picture {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, type, interlaced] = [png[24], png[25], png[28]];
  if (depth !== 8 || (type !== 2 && type !== 6) || interlaced !== 0) throw new Error(`cannot read a PNG of ${depth} bits and type ${type}`);
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
    const name = Buffer.from(png.subarray(at + 4, at + 8)).toString('latin1');
    if (name === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(parts)), { width, height, samples: type === 2 ? 3 : 4 }) };
}

/** Each row begins with its filter, which says what its bytes are added to. */
function unfiltered(data: Uint8Array, { width, height, samples }: { width: number; height: number; samples: number }): Uint8Array {
  const length = width * samples;
  const rows = new Uint8Array(height * length);
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (length + 1)] ?? 0;
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < samples ? 0 : (rows[at - samples] ?? 0);
      const above = y === 0 ? 0 : (rows[at - length] ?? 0);
      const corner = x < samples || y === 0 ? 0 : (rows[at - length - samples] ?? 0);
      rows[at] = (data[y * (length + 1) + 1 + x] ?? 0) + added(filter, left, above, corner);
      const sample = x % samples;
      if (sample < 3) pixels[(y * width + (x - sample) / samples) * 3 + sample] = rows[at] ?? 0;
    }
  }
  return pixels;
}

function added(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
