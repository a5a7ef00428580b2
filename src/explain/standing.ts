import { sides } from '../model/ids.ts';
import type { RouteStatus, SideStatus, Standing } from '../model/route-status.ts';
import { isHalting } from './failure.ts';
import { sideInWords, timeInWords } from './words.ts';

/** The status of a route in one word. The terminal, the pages, health checks and metrics all use it. */
export function standingOf(status: Omit<RouteStatus, 'standing'>): Standing {
  const { isEnabled, isInStep, isStale, needsPerson, rest, failures, refusals } = status;
  if (!isEnabled) return 'off';
  if (refusals.length > 0 || failures.some((each) => isHalting(each) && each.needsPerson)) return 'stopped';
  if (needsPerson) return 'needs you';
  if (failures.some(isHalting)) return 'trying again';
  if (rest !== null) return 'paused';
  if (isStale) return 'not read lately';
  return isInStep ? 'in step' : 'catching up';
}

/** Why a route counts as not read; null if both sides were read lately. */
export function staleInWords({ sides: both }: Pick<RouteStatus, 'sides'>, now: number): string | null {
  const side = sides.find((each) => both[each].isStale);
  return side === undefined ? null : `${sideInWords(side)} ${sinceInWords(both[side], now)}`;
}

/** Whether a time lies in the future. The clock was then set back, and the real age is unknown. */
export const isAhead = (at: number, now: number): boolean => at > now + 1_000;

function sinceInWords({ polledAt }: SideStatus, now: number): string {
  if (polledAt === null) return 'was never read';
  if (isAhead(polledAt, now))
    return `was last read in the future (${timeInWords(polledAt)}), because the clock of this machine was set back`;
  return `was last read ${Math.round((now - polledAt) / 60_000)} min ago`;
}

/** The status of a route without work and without problems. */
export const nothingWaits = {
  isInStep: true,
  rest: null,
  isStale: false,
  needsPerson: false,
  outbox: { planned: 0, sent: 0, parked: 0 },
  parked: [],
  doubts: [],
  conflicts: [],
  skips: [],
  open: { conflicts: 0, skips: 0 },
  unshown: 0,
  refusals: [],
  isHalted: false,
  catchUpMs: 0,
  failures: [],
  setAside: [],
} satisfies Partial<RouteStatus>;
