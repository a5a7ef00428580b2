import * as z from 'zod/mini';

/**
 * An object that allows no other keys. The text of its unknown-key issue lists the known keys; `complaintsOf` words it.
 */
export const closed = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined),
  });

export const text = z.string().check(z.minLength(1));
export const count = z.int().check(z.gte(1));
