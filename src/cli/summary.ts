import { routeInWords, timeInWords } from '../explain/words.ts';
import type { RouteStatus, Verdict } from '../model/route-status.ts';
import type { Terminal } from './terminal.ts';

/** The status of a route in one line. */
export function summaryLine(status: RouteStatus, terminal: Terminal): string {
  const { standing, tone, counts } = status.verdict;
  return `${terminal.paint('bold', status.route)}  ${routeInWords(status)}  ${terminal.paint(styles[tone], standing)}: ${counts}`;
}

const styles = { good: 'green', neutral: 'cyan', warning: 'yellow', bad: 'red' } as const satisfies Readonly<
  Record<Verdict['tone'], string>
>;

/** A time, relative to now and in full. */
export function momentInWords(at: number | null, now: number): string {
  if (at === null) return 'never';
  const seconds = Math.round(Math.abs(now - at) / 1000);
  const span =
    seconds < 90
      ? `${seconds} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  return `${at <= now ? `${span} ago` : `in ${span}`} (${timeInWords(at)})`;
}
