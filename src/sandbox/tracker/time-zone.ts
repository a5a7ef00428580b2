/**
 * Local time of an IANA zone, told apart from UTC only by what Intl knows. A local time is a text `2026-11-21 04:45:02`, as databases
 * write it, so that texts compare as their times do.
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

/** The instant of a local time. One that a change to summer time skips is taken an hour later, one that comes twice is the first. */
export function instantOf(local: string, timeZone: string): number {
  const asIfUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const candidates = [asIfUtc - dayMs, asIfUtc + dayMs].map((near) => asIfUtc - offsetAt(near, timeZone));
  const fitting = candidates.filter((at) => localTime(at, timeZone) === local);
  return fitting.length === 0 ? Math.max(...candidates) : Math.min(...fitting);
}

const dayMs = 86_400_000;

const offsetAt = (at: number, timeZone: string): number => Date.parse(`${localTime(at, timeZone).replace(' ', 'T')}Z`) - at;

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
