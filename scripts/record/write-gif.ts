import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { GIFEncoder, quantize, applyPalette } = gifenc;

export interface Frame {
  /** A screenshot. All have the size of the first. */
  readonly png: Buffer;
  readonly showMs: number;
}

/** The colour for unchanged pixels, which keeps frames small. */
const unchanged = 255;

/** The palette samples one pixel in this many, because pages have few colours in large areas. */
const sampled = 16;

/** An animation that repeats for ever, with one palette for all frames. */
export function writeGif(frames: readonly Frame[]): Uint8Array {
  const pictures = frames.map(({ png, showMs }) => ({ ...PNG.sync.read(png), showMs }));
  const palette = quantize(sampleOf(pictures.map(({ data }) => data)), unchanged);
  const gif = GIFEncoder();
  let before: Uint8Array | null = null;
  for (const { width, height, data, showMs } of pictures) {
    const now = applyPalette(data, palette);
    const shown: Uint8Array =
      before === null ? now : now.map((colour, at) => (colour === before?.[at] ? unchanged : colour));
    gif.writeFrame(shown, width, height, {
      palette,
      delay: showMs,
      transparent: before !== null,
      transparentIndex: unchanged,
      dispose: 1,
    });
    before = now;
  }
  gif.finish();
  return gif.bytes();
}

/** Every so many pixels of all pictures, as red, green, blue and alpha. */
function sampleOf(pictures: readonly Uint8Array[]): Uint8Array {
  const pixels = pictures.flatMap((data) =>
    Array.from({ length: Math.floor(data.length / 4 / sampled) }, (_none, index) => index * 4 * sampled).map((at) =>
      data.subarray(at, at + 4),
    ),
  );
  return Buffer.concat(pixels);
}
