import { z } from 'zod';

/**
 * An object that allows no other keys. The text of its unknown-key issue lists the known keys; `complaintsOf` words it.
 */
export const closed = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : undefined),
  });

export const text = z.string().min(1);
export const count = z.int().min(1);
