import { illegalDate } from './errors.ts';

/** The tracker knows whole seconds only. */
export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/** `2026-11-21T09:37:52Z`, from epoch milliseconds. */
export const wireTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const pattern = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/;

/**
 * Epoch milliseconds of a time in a query. A time without a zone is the server's own, which is UTC here; fractions are cut.
 * Throws "not a legal date" (code 56) for an empty text, epoch numbers and relative times.
 */
export function parseTime(text: string): number {
  const match = pattern.exec(text.trim());
  if (match === null) throw illegalDate(text);
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(at)) throw illegalDate(text);
  return at;
}

/** The chart's view of a time: the zone is ignored and the rest taken as the server's own time. */
export const parseChartTime = (text: string): number => parseTime(text.trim().replace(/\s*(Z|UTC|[+-]\d\d:?\d\d)$/, ''));
