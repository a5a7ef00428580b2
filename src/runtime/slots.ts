import { parse } from 'node-cron';

/**
 * The moments of a cron expression of five fields, or six with seconds first, in UTC, which has no missing or repeated
 * hours.
 */
interface Slots {
  /** The first moment after `at`, both epoch milliseconds; null when none comes. */
  after(at: number): number | null;
}

const secondMs = 1_000;
const dayMs = 86_400_000;
/** A certain day of the week falls on 29 February once in 28 years, and in 40 around a year like 2100. */
const yearsMax = 41;

/**
 * The library reads the expression, and no more: its own search for the next moment works on local times, and goes an
 * hour back in the hour that the end of summer time repeats.
 */
export function slotsOf(expression: string): Slots {
  // The library knows no other space than one blank.
  const fields = parse(expression.trim().split(/\s+/u).join(' '));
  const [seconds, minutes, hours] = [fields.second, fields.minute, fields.hour].map((field) =>
    field.toSorted((one, other) => one - other),
  );
  const times = (hours ?? []).flatMap((hour) =>
    (minutes ?? []).flatMap((minute) =>
      (seconds ?? []).map((second) => ((hour * 60 + minute) * 60 + second) * secondMs),
    ),
  );
  const isDay = (day: Date): boolean =>
    fields.dayOfMonth.includes(day.getUTCDate()) && fields.dayOfWeek.includes(day.getUTCDay());
  const first = times[0] ?? 0;
  return {
    after(at) {
      const today = Math.floor(at / dayMs) * dayMs;
      const later =
        isDay(new Date(today)) && fields.month.includes(new Date(today).getUTCMonth() + 1)
          ? laterOf(times, at - today)
          : null;
      if (later !== null) return today + later;
      const day = new Date(today + dayMs);
      const lastYear = day.getUTCFullYear() + yearsMax;
      while (day.getUTCFullYear() <= lastYear) {
        if (!fields.month.includes(day.getUTCMonth() + 1)) day.setUTCMonth(day.getUTCMonth() + 1, 1);
        else if (isDay(day)) return day.getTime() + first;
        else day.setUTCDate(day.getUTCDate() + 1);
      }
      return null;
    },
  };
}

const laterOf = (times: readonly number[], since: number): number | null => times.find((time) => time > since) ?? null;
