import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A value that takes little memory until it is needed. */
export type Small<T> = string & { readonly of?: T };

export interface Shrinker {
  shrink<T>(value: T): Small<T>;
  restore<T>(small: Small<T>): T;
}

/**
 * Keeps values of JSON compressed, as those of a whole repository are held at once. They are alike, so each is written down by how it differs from
 * the first. A string of Latin characters takes a byte for each, and no more.
 */
export function shrinker(): Shrinker {
  let first: Buffer | null = null;
  return {
    shrink<T>(value: T) {
      const bytes = Buffer.from(JSON.stringify(value));
      first ??= bytes;
      return deflateRawSync(bytes, { dictionary: first }).toString('latin1');
    },
    restore<T>(small: Small<T>): T {
      const bytes = inflateRawSync(Buffer.from(small, 'latin1'), { dictionary: first ?? Buffer.alloc(0) });
      return JSON.parse(bytes.toString());
    },
  };
}
