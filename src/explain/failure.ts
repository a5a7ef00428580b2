import type { Failed } from '../model/outcome.ts';
import type { Failing, Verdict } from '../model/route-status.ts';
import { clockAdvice } from '../rules/limits/clocks.ts';
import { capital, sideInWords, timeInWords, withStop } from './words.ts';

/**
 * Whether the failure halts the route. Cycles continue beside a wrong clock, and after one failed full comparison; two
 * in a row, which are a day apart, halt the route.
 */
export const isHalting = (failed: Failed): boolean =>
  !isOfBridge(failed) && (failed.of !== 'sweep' || failed.count > 1);

/** What is wrong with the bridge as a whole: a clock, and pairs of a route that nobody configured. */
const isOfBridge = ({ of }: Failed): boolean => of === 'clock' || of === 'stray';

/** Whether a person has to act before the work can succeed. */
export const needsPerson = (failed: Failed): boolean =>
  isOfBridge(failed) || (isHalting(failed) && (failed.of === 'sweep' || failed.kind !== 'later'));

/** `the last 3 cycles failed, the latest at GitHub: ...`; the others may have had other causes. */
export function failureInWords(failed: Failed): string {
  const { of, kind, side, why, count } = failed;
  if (of === 'state' || isOfBridge(failed)) return withStop(why);
  const [one, many] = of === 'cycle' ? ['the last cycle', 'cycles'] : ['the last full comparison', 'full comparisons'];
  const what = count === 1 ? `${one} failed` : `the last ${count} ${many} failed, the latest`;
  const where = side === null || kind === 'fault' || kind === 'state' ? '' : ` at ${sideInWords(side)}`;
  return `${what}${where}: ${withStop(why)}`;
}

/** Without full comparisons that fail for the reason for which cycles do: a person fixes it once. */
export const withoutEchoes = (failures: readonly Failing[]): readonly Failing[] =>
  failures.filter(
    ({ of, kind, side }) =>
      of !== 'sweep' || !failures.some((each) => each.of === 'cycle' && each.kind === kind && each.side === side),
  );

/** What happened, and what to do about it. */
export const failingInWords = (failing: Failing): string => `${capital(failureInWords(failing))} ${failing.advice}`;

/** Since when a route stands still, for those who are not shown the time otherwise; nothing for one that works. */
export const failingSince = ({ standing, sinceAt }: Verdict): readonly string[] =>
  standing === 'failed' && sinceAt !== null ? [`Failing since ${timeInWords(sinceAt)}.`] : [];

/** A failure beside which the work goes on, and that needs a person all the same. */
export const isBeside = (failing: Failing): boolean => failing.needsPerson && !isHalting(failing);

/** Whether a side lost what is mirrored: the words then name the command, and the configuration may well be right. */
export const namesForce = (why: string): boolean => why.includes('run bugferry once --force');

/**
 * Advice on what a person can do about the failure.
 * @param until how long the side is left alone, if it asked for that
 */
export function adviceOn({
  of,
  kind,
  side,
  why = '',
  until = null,
}: Pick<Failed, 'of' | 'kind' | 'side'> & { why?: string; until?: number | null }): string {
  if (of === 'clock') return clockAdvice(side);
  if (of === 'stray')
    return 'If you renamed the route, give it the old name again; if it is to stop, configure it with enabled: false.';
  if (of === 'state' || kind === 'state') return 'The bridge continues as soon as that is fixed.';
  if (kind === 'fault') return 'This is a fault of bugferry itself: please report it, with the log.';
  const next =
    until === null ? 'The next cycle tries again.' : `The first cycle after ${timeInWords(until)} tries again.`;
  const again = of === 'sweep' ? 'The next full comparison (schedule.sweep) tries again.' : next;
  if (namesForce(why)) return again;
  if (kind === 'later') return `${again} If the failure stays, run bugferry check.`;
  // A key or token may come from there.
  const where = kind === 'unauthorized' ? 'the configuration or the environment' : 'the configuration';
  return `Run bugferry check, and fix what it names. ${again} After a change to ${where}, restart the bridge.`;
}
