import { z } from 'zod';
import { TrackerError } from './errors.ts';

/**
 * A time for the tracker: whole seconds, and always with its zone, without which it is taken for the server's local time. Throws
 * `TrackerError` for what is no time of the years 0 to 9999, which are all that can be written so.
 */
export function trackerTime(at: number): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw new TrackerError('invalid', `${at} is no time; it has to be epoch milliseconds`);
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Times are `2026-11-21T09:37:52Z`; some answers leave out the zone and still mean UTC. Epoch milliseconds. */
export const instant = z.string().transform((value, context) => {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  if (!Number.isNaN(at)) return at;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
