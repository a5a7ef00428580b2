import { type Side, sides } from '../model/ids.ts';
import type { RouteStatus, SideStatus, Standing } from '../model/route-status.ts';
import { isHalting } from './failure.ts';
import { sideInWords, spanInWords, timeInWords } from './words.ts';

/** What a status says before it is judged. */
export type Facts = Omit<
  RouteStatus,
  'standing' | 'verdict' | 'isInStep' | 'isStale' | 'isHalted' | 'needsPerson' | 'lagMs'
>;

/** The status of a route in one word. Everything that shows a status uses it. */
export function standingOf(facts: Facts & Pick<RouteStatus, 'isStale'>): Standing {
  const { isEnabled, rest, failures, refusals, outbox, open, setAside } = facts;
  if (!isEnabled) return 'off';
  if (failures.some(isHalting)) return 'failed';
  if (refusals.length > 0) return 'refused';
  if (facts.isStale) return 'not read lately';
  if (open.conflicts + open.skips + outbox.parked > 0 || failures.some((each) => each.needsPerson)) return 'needs you';
  if (setAside.length > 0) return 'set aside';
  if (rest !== null) return 'paused';
  if (isBehind(facts)) return 'catching up';
  return facts.links.whole === 0 && toCrossIn(facts.links.alone, facts.direction) > 0 ? 'nothing mirrored' : 'in step';
}

/** Items that are to have a counterpart; those of the other side of a one-way route never get one. */
export const toCrossIn = (alone: Readonly<Record<Side, number>>, direction: RouteStatus['direction']): number =>
  (direction === 'to-tracker' ? 0 : alone.tracker) + (direction === 'to-github' ? 0 : alone.github);

/** Whether anything waits, or was never looked at: what was never compared is in step with nothing. */
function isBehind({ links, outbox, unshown, queued, sides: both, isUnchecked, undertakings }: Facts): boolean {
  // What is left of a cutover shows nowhere else.
  if (undertakings.some(({ kind }) => kind === 'cutover')) return true;
  const isCompared = sides.every((side) => both[side].isComplete && !both[side].hasMore && both[side].sweptAt !== null);
  return links.wanting + outbox.planned + outbox.sent + unshown + queued.length > 0 || !isCompared || isUnchecked;
}

/** After so long without a full comparison, nobody knows what was deleted; a weekly one (`schedule.sweep`) is enough. */
const comparedMaxMs = 8 * 86_400_000;

/** A round of looks, whether every mirrored bug is still shown, takes a few hours on the largest trackers. */
const lookedAtMaxMs = 86_400_000;

/** Why a route counts as not read; null if both sides were read and compared lately. */
export function staleInWords(
  { sides: both, lookedAt, failures }: Pick<RouteStatus, 'sides' | 'lookedAt' | 'failures'>,
  now: number,
): string | null {
  const side = sides.find((each) => both[each].isStale);
  if (side !== undefined) return `${sideInWords(side)} ${sinceInWords(both[side], now)}`;
  // By a clock that is years ahead, everything of yesterday is years old.
  if (failures.some(({ of, side: wrong }) => of === 'clock' && wrong === null)) return null;
  const old = sides.find((each) => isOld(both[each].sweptAt, comparedMaxMs, now));
  if (old !== undefined) return `${sideInWords(old)} was last compared in full ${daysInWords(both[old].sweptAt, now)}`;
  return isOld(lookedAt, lookedAtMaxMs, now)
    ? `the oldest check whether a mirrored bug is still public was ${daysInWords(lookedAt, now)}`
    : null;
}

const isOld = (at: number | null, maxMs: number, now: number): boolean => at !== null && now - at > maxMs;

const daysInWords = (at: number | null, now: number): string =>
  `${Math.round((now - (at ?? now)) / 86_400_000)} days ago`;

/** Whether a time lies in the future. The clock was then set back, and the real age is unknown. */
export const isAhead = (at: number, now: number): boolean => at > now + 1_000;

function sinceInWords({ polledAt }: SideStatus, now: number): string {
  if (polledAt === null) return 'was never read';
  if (isAhead(polledAt, now))
    return `was last read in the future (${timeInWords(polledAt)}), because the clock of this machine was set back`;
  return `was last read ${spanInWords(now - polledAt)} ago`;
}

/** The status of a route without work and without problems. */
export const nothingWaits = {
  rest: null,
  queued: [],
  outbox: { planned: 0, sent: 0, parked: 0 },
  parked: [],
  putOff: [],
  undertakings: [],
  imported: 0,
  doubts: [],
  conflicts: [],
  skips: [],
  open: { conflicts: 0, skips: 0 },
  unshown: 0,
  refusals: [],
  catchUpMs: 0,
  isCatchUpLeast: false,
  isUnchecked: false,
  progress: { mirrored: 0, total: 0, writes: 0 },
  failures: [],
  setAside: [],
  unreached: [],
} satisfies Partial<Facts>;
