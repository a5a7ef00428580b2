import { z } from 'zod';

/**
 * The small values of the tracker's answers. Versions differ in them (numbers as strings, booleans as 0 and 1, keys that are absent
 * or null, one value or a list of one), and none of that is a reason to refuse an answer.
 */
export const whole = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]);
export const flag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z.enum(['0', '1']).transform((value) => value === '1'),
]);
export const text = z.string().nullish();
export const texts = z.array(z.string()).nullish();
