import { isAhead } from '../explain/standing.ts';
import { routeInWords, spanInWords, timeInWords } from '../explain/words.ts';
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

/** A time that is to come, relative to now and in full. */
export const momentInWords = (at: number, now: number): string =>
  `${at <= now ? `${spanInWords(now - at)} ago` : `in ${spanInWords(at - now)}`} (${timeInWords(at)})`;

/** A time that has passed. If it lies ahead, the clock was set back since then, and nobody knows how long ago it was. */
export function agoInWords(at: number | null, now: number): string {
  if (at === null) return 'never';
  return isAhead(at, now)
    ? `${spanInWords(at - now)} in the future (${timeInWords(at)})`
    : momentInWords(Math.min(at, now), now);
}
