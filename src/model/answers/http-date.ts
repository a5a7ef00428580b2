/**
 * A date of HTTP, epoch milliseconds; null for anything else. It has three forms, all in UTC, of which the oldest names
 * no zone: `Sun Nov  6 08:49:37 1994`. Source: RFC 9110, "Date/Time Formats".
 */
export function httpDate(text: string): number | null {
  const date = text.trim();
  // Each form begins with the day of the week; the parser would accept almost any number as a date.
  if (!/^[a-z]{3}/iu.test(date)) return null;
  const at = Date.parse(/ \d{4}$/u.test(date) ? `${date} UTC` : date);
  return Number.isNaN(at) ? null : at;
}
