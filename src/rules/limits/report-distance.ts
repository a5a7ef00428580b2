/**
 * How far apart the reports of edits of one text are. Each report is a comment that stays, and a mail: a storm of edits
 * must not become a storm of reports. Edits that wait are shown by one report.
 */

/** Reports within this time count. */
export const reportsMs = 24 * 3_600_000;

/** Most people correct a text once or twice: so many reports leave at once. */
const freeReports = 3;
const firstMs = 2 * 60_000;
const longestMs = 4 * 3_600_000;

/** When the next report may leave, after those that left at these times within `reportsMs`. */
export function nextReportAt(times: readonly number[]): number {
  if (times.length < freeReports) return 0;
  return Math.max(...times) + Math.min(longestMs, firstMs * 2 ** (times.length - freeReports));
}
