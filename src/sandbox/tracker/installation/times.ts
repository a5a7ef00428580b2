import { illegalDate } from '../server/errors.ts';

/** The tracker keeps whole seconds only. */
export const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/** `2026-11-21T09:37:52Z`, from epoch milliseconds. */
export const wireTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/**
 * Epoch milliseconds of a time in a query. A time without a zone is in the server's own, whose IANA name is `timeZone`;
 * fractions are cut. Throws "not a legal date" (code 56) for an empty text, epoch numbers, relative times and dates
 * that do not exist.
 */
export function parseTime(text: string, timeZone: string): number {
  if (text.trim().length > lengthMax) throw illegalDate(text);
  const at = readTime(text.trim(), timeZone) ?? readTime(text.trim().replace(/\s+\S+$/, ''), timeZone);
  if (at === null) throw illegalDate(text);
  return at;
}

/** No valid time is longer. */
const lengthMax = 100;

const clock = String.raw`(\d{1,2}):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?`;
const numeric = new RegExp(String.raw`^(\d{4})([-/.]?)(\d\d?)\2(\d\d?)(?:[T ]+${clock})?$`, 'i');
const monthInside = new RegExp(
  String.raw`^(?:[a-z]{3,9},? )?(\d\d?)[ -]([a-z]{3})[a-z]*[ ,-]+(\d{4})(?: +${clock})?$`,
  'i',
);
const monthFirst = new RegExp(String.raw`^(?:[a-z]{3,9},? )?([a-z]{3})[a-z]* (\d\d?),? (\d{4})(?: +${clock})?$`, 'i');
const slashed = new RegExp(String.raw`^(\d\d?)/(\d\d?)/(\d{4})(?: +${clock})?$`);
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type Parts = readonly (string | undefined)[];

/** Null for a text that is not a time. The caller removes an unknown zone and tries again. */
function readTime(text: string, timeZone: string): number | null {
  const [, bare = '', zone] =
    /^(.*?\d)\s*(z|utc|gmt|[ecmp][sd]t|cest|cet|(?<=:\d\d?\s*)[+-]\d\d:?\d\d)?$/i.exec(text) ?? [];
  const [year, month, day, ...rest] = dateParts(bare);
  if (year === undefined || month === undefined || day === undefined) return null;
  const two = (part: string | undefined): string => (part ?? '0').padStart(2, '0');
  const [hour, minute, second] = [two(rest[0]), two(rest[1]), two(rest[2])];
  const local = `${year}-${two(month)}-${two(day)} ${hour}:${minute}:${second}`;
  const asIfUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  if (Number.isNaN(asIfUtc) || new Date(asIfUtc).getUTCDate() !== Number(day)) return null;
  return zone === undefined ? instantOf(local, timeZone) : asIfUtc - offsetMs(zone.toLowerCase());
}

/** Year, month, day, hour, minute, second; empty for a text that is not a date. */
function dateParts(text: string): Parts {
  const number = (name = ''): string => String(months.indexOf(name.toLowerCase()) + 1);
  let match = numeric.exec(text);
  if (match !== null) {
    const isCompact = match[2] === '' && (match[3]?.length !== 2 || match[4]?.length !== 2);
    return isCompact ? [] : [match[1], match[3], match[4], ...match.slice(5)];
  }
  match = monthInside.exec(text);
  if (match !== null) return [match[3], number(match[2]), match[1], ...match.slice(4)];
  match = monthFirst.exec(text);
  if (match !== null) return [match[3], number(match[1]), match[2], ...match.slice(4)];
  match = slashed.exec(text);
  return match === null ? [] : [match[3], match[1], match[2], ...match.slice(4)];
}

const namedHours: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  cet: 1,
  cest: 2,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

function offsetMs(zone: string): number {
  const named = namedHours[zone];
  if (named !== undefined) return named * 3_600_000;
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/**
 * Local time of an IANA zone; Intl knows the offsets. A local time is a text `2026-11-21 04:45:02`, as in databases, so
 * that texts compare like their times.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time of an instant (epoch milliseconds), in whole seconds. */
export function localTime(at: number, timeZone: string): string {
  if (timeZone === 'UTC') return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const parts = formatFor(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${day} ${part('hour')}:${part('minute')}:${part('second')}`;
}

/**
 * The instant of a local time. A time that the change to summer time skips is an hour later; of a time that occurs
 * twice, it is the first.
 */
export function instantOf(local: string, timeZone: string): number {
  const asIfUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const candidates = [asIfUtc - dayMs, asIfUtc + dayMs].map((near) => asIfUtc - offsetAt(near, timeZone));
  const fitting = candidates.filter((at) => localTime(at, timeZone) === local);
  return fitting.length === 0 ? Math.max(...candidates) : Math.min(...fitting);
}

const dayMs = 86_400_000;

const offsetAt = (at: number, timeZone: string): number =>
  Date.parse(`${localTime(at, timeZone).replace(' ', 'T')}Z`) - at;

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}
