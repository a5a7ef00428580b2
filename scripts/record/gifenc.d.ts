/** The part of gifenc that is used; the package has no types of its own. Source: its README. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[];
  interface FrameOptions {
    readonly palette: Palette;
    /** In milliseconds. */
    readonly delay: number;
    readonly transparent: boolean;
    readonly transparentIndex: number;
    /** 1: the next frame is drawn over this one. */
    readonly dispose: 1;
  }
  interface Encoder {
    writeFrame(pixels: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export = gifenc;
}
