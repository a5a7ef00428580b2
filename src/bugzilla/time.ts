import { z } from 'zod';

/** A time for the tracker: whole seconds, and always with its zone, without which it is taken for the server's local time. */
export const trackerTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Times are `2026-11-21T09:37:52Z`; some answers leave out the zone and still mean UTC. Epoch milliseconds. */
export const instant = z.string().transform((value, context) => {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  if (!Number.isNaN(at)) return at;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});
