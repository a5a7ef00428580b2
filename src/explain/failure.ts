import type { Failed } from '../model/outcome.ts';
import { sideInWords, withStop } from './words.ts';

/** Whether the route stands still. Full comparisons are a day apart and cycles go on without: two of them have to fail in a row. */
export const isHalting = ({ of, count }: Failed): boolean => of !== 'sweep' || count > 1;

/** Whether a person has to act before it can succeed. */
export const needsPerson = (failed: Failed): boolean => isHalting(failed) && (failed.of === 'sweep' || failed.kind !== 'later');

/** `3 cycles in a row failed, the last one with GitHub: ...` */
export function failureInWords({ of, kind, side, why, count }: Failed): string {
  if (of === 'state') return withStop(why);
  const [one, many] = of === 'cycle' ? ['the last cycle', 'cycles'] : ['the last full comparison', 'full comparisons'];
  const what = count === 1 ? `${one} failed` : `the last ${count} ${many} failed`;
  const where = side === null || kind === 'fault' || kind === 'state' ? '' : ` at ${sideInWords(side)}`;
  return `${what}${where}: ${withStop(why)}`;
}

/** What a person can do about it. */
export function adviceOn({ of, kind }: Failed): string {
  if (of === 'state') return 'The bridge goes on by itself once that is put right.';
  if (kind === 'fault') return 'This is a fault of bugferry itself: please report it, with what the log says.';
  const again = of === 'sweep' ? 'The next full comparison (schedule.sweep) tries again.' : 'The next cycle tries again.';
  if (kind === 'later' || kind === 'state') return again;
  const restart = kind === 'unauthorized' ? ' A bridge that runs has to be started again when its configuration has changed.' : '';
  return `Put that right; bugferry check tells more. ${again}${restart}`;
}
