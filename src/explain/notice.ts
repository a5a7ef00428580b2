import { type Need, type Notice, needs, type Told, type Unreached } from '../model/reports/notice.ts';
import type { RouteStatus } from '../model/route-status.ts';
import { isHalting } from './failure.ts';
import { isAhead } from './standing.ts';
import { counted, timeInWords, withStop } from './words.ts';

/** Whether the route needs somebody. A cycle that failed once may succeed the next time, and is no news. */
export function needOf({ isEnabled, refusals, failures, isStale, needsPerson }: RouteStatus): Need {
  if (!isEnabled) return 'none';
  const isStopped = refusals.length > 0 || failures.some((each) => isHalting(each) && each.needsPerson) || isStale;
  return isStopped ? 'stopped' : needsPerson ? 'items' : 'none';
}

/**
 * What to do about a receiver: `tell` it, `note` silently that the route needs less or that an undelivered notice is
 * outdated, or nothing. Two notices that a route needs somebody have a pause in between.
 */
export function nextStep(told: Told, need: Need, now: number, pauseMs: number): 'tell' | 'note' | null {
  if (told.need === need) return told.attempts > 0 ? 'note' : null;
  const isRise = needs.indexOf(need) > needs.indexOf(told.need);
  if (!isRise && need !== 'none') return 'note';
  if (isRise && told.at > 0 && now - told.at < pauseMs && !isAhead(told.at, now)) return null;
  const waits = told.attempts > 0 && now < told.retryAt && !isAhead(told.retryAt, now + attemptGapMs);
  return waits ? null : 'tell';
}

/** The longest time between two attempts. */
const attemptGapMs = 3_600_000;

/** When a notice that failed `attempts` times is due again: after a minute at first, then after twice as long each. */
export const retryAtOf = (attempts: number, now: number): number =>
  now + Math.min(60_000 * 2 ** (attempts - 1), attemptGapMs);

/**
 * The notice for people outside: whoever reads it may not know the bugs, so it names none.
 * @param told what the receiver knows so far
 */
export function noticeOf(instance: string, status: RouteStatus, told: Told, now: number): Notice {
  const { route } = status;
  const need = needOf(status);
  const why = need === 'none' ? '' : `${status.verdict.headline}. `;
  return {
    id: [instance, route, need, told.at].join('/'),
    ...{ instance, route, need },
    title: `bugferry ${instance}: route ${route} ${headsInWords[need]}`,
    text: `${why}${textsInWords[need]} (${timeInWords(now)})`,
  };
}

/** `notify.mail was not reached, in 3 attempts: ...` */
export const unreachedInWords = ({ receiver, attempts, why }: Unreached): string =>
  `notify.${receiver} was not reached, in ${counted(attempts, 'attempt')}: ${withStop(why)}`;

const headsInWords: Readonly<Record<Need, string>> = {
  none: 'is well again',
  items: 'needs you',
  stopped: 'has stopped',
};

const textsInWords: Readonly<Record<Need, string>> = {
  none: 'Nothing waits for a person any more.',
  items: 'bugferry status says what to do.',
  stopped: 'Nothing crosses until that ends; bugferry status says what to do.',
};
