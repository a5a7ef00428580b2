import { localTime, parseTime } from '../installation/times.ts';

/**
 * Dates in charts. The database compares times in the server's own zone and does not know others: it reads the date at
 * the start of a text and drops the remainder. Criteria on changes differ, and respect a zone.
 */
const written = /^\s*(\d{4})-(\d\d?)-(\d\d?)(?:[T ]\s*(\d\d?):(\d\d?)(?::(\d\d?))?)?/;
const digits = /^\s*(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d))?(?!\d)/;

/** A time as the database reads it, as local time; null if there is none, which matches nothing. */
export function databaseTime(text: string): string | null {
  const match = written.exec(text) ?? digits.exec(text);
  if (match === null) return null;
  const [year = '', ...rest] = match.slice(1);
  const [month, day, hour, minute, second] = Array.from({ length: 5 }, (_, index) =>
    (rest[index] ?? '0').padStart(2, '0'),
  );
  const isCalendar = Number(month) <= 12 && Number(day) <= 31 && Number(hour) <= 23 && Number(minute) <= 59;
  return isCalendar ? `${year}-${month}-${day} ${hour}:${minute}:${second}` : null;
}

const relative = /^([+-])?(\d+)([hdwmy])(s?)$/i;

/** True for `-7d`, `2w`, `0ds`, `now`: times relative to now. */
export const isRelative = (text: string): boolean => relative.test(text) || text.toLowerCase() === 'now';

/**
 * The local time of a relative or absolute time. `d w m y h` count back, `+` counts forward, an `s` at the end (or an
 * amount of 0) moves to the start of the unit; `now` is the start of today. Throws 56 for a text that is not a date.
 */
export function chartTime(text: string, nowAt: number, timeZone: string): string {
  const now = localTime(nowAt, timeZone);
  if (text === '' || text.toLowerCase() === 'now') return `${now.slice(0, 10)} 00:00:00`;
  const match = relative.exec(text);
  if (match === null) return localTime(parseTime(text, timeZone), timeZone);
  const amount = Number(match[2]) * (match[1] === '+' ? -1 : 1);
  const isStart = match[4] !== '' || amount === 0;
  return (
    monthsBack(now, amount, match[3] ?? '', isStart) ?? hoursBack(nowAt, timeZone, amount, match[3] ?? '', isStart)
  );
}

/** Months and years are counted in the calendar; null for other units. */
function monthsBack(now: string, amount: number, unit: string, isStart: boolean): string | null {
  const perUnit = { m: 1, y: 12 }[unit.toLowerCase()];
  if (perUnit === undefined) return null;
  const months = clamped(
    Number(now.slice(0, 4)) * 12 + Number(now.slice(5, 7)) - 1 - amount * perUnit,
    0,
    9999 * 12 + 11,
  );
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = String(Math.floor(months / 12)).padStart(4, '0');
  if (isStart)
    return unit.toLowerCase() === 'y' ? `${year}-01-01 00:00:00` : `${year}-${two((months % 12) + 1)}-01 00:00:00`;
  return `${year}-${two((months % 12) + 1)}${now.slice(7)}`;
}

function hoursBack(nowAt: number, timeZone: string, amount: number, unit: string, isStart: boolean): string {
  if (unit.toLowerCase() === 'h') {
    const then = localTime(inCalendar(nowAt - amount * 3_600_000), timeZone);
    return isStart ? `${then.slice(0, 13)}:00:00` : then;
  }
  const weekday = new Date(`${localTime(nowAt, timeZone).slice(0, 10)}T00:00:00Z`).getUTCDay();
  const days = unit.toLowerCase() === 'w' ? amount * 7 + (isStart ? weekday : 0) : amount;
  const then = localTime(inCalendar(nowAt - days * 86_400_000), timeZone);
  return isStart ? `${then.slice(0, 10)} 00:00:00` : then;
}

/** Dates are limited to years of four digits. */
const inCalendar = (at: number): number =>
  clamped(at, Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z'));
const clamped = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
