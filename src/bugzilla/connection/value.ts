import { z } from 'zod';
import { TrackerError } from './errors.ts';

/**
 * Simple values in the tracker's answers. Versions differ (numbers as strings, booleans as 0 and 1, absent keys or null, one value or a
 * list of one), and none of these is a reason to reject an answer.
 */
export const whole = z.union([z.number().int(), z.string().regex(/^\d+$/).transform(Number)]);
export const flag = z.union([
  z.boolean(),
  z.number().transform((value) => value !== 0),
  z.enum(['0', '1']).transform((value) => value === '1'),
]);
export const text = z.string().nullish();
export const texts = z.array(z.string()).nullish();

/** A number of hours: `1.5`, or `"1.50"`. */
export const hours = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** One text; some installations send a list of one. */
export const one = z.union([z.string(), z.array(z.string()).transform((values) => values[0] ?? '')]);

/** A text; null means empty. */
export const textOrNothing = one.nullable().transform((value) => value ?? '');

/** A list of texts; a single text or null if the installation allows only one (an alias on BMO). */
export const list = z.union([
  z.array(z.string()),
  z.string().transform((value) => (value === '' ? [] : [value])),
  z.null().transform(() => []),
]);

/** A list of ids; null means empty. */
export const wholes = z.union([z.array(whole), z.null().transform(() => [])]);

/** An object that may have null for unreported values: treats null as absent for keys where null has no meaning of its own. */
export function tolerant<Shape extends z.ZodRawShape>(object: z.ZodObject<Shape>) {
  const refusing = Object.entries(object.shape).filter(([, field]) => !z.safeParse(field, null).success);
  const untold = new Set(refusing.map(([name]) => name));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([name, one]) => one !== null || !untold.has(name)));
  }, object);
}

/**
 * A time for the tracker: whole seconds, always with a zone, as the tracker reads a time without one as server-local. Throws
 * `TrackerError` for times outside the years 0 to 9999, which this format cannot express.
 */
export function trackerTime(at: number): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new TrackerError('invalid', `${at} is not a time; it must be epoch milliseconds`);
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Times are `2026-11-21T09:37:52Z`; some answers omit the zone but still mean UTC. Epoch milliseconds. */
export const instant = z.string().transform((value, context) => {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  if (!Number.isNaN(at)) return at;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
