import { type Side, sides } from '../../model/ids.ts';
import type { Route } from '../../model/route.ts';

/** How far the clock of each side is ahead of ours, in milliseconds; null if the side does not report it. */
export type ClocksAhead = Readonly<Record<Side, number | null>>;

export interface WrongClock {
  /** Whose clock is wrong, as far as a comparison can say; null for that of this machine. */
  readonly side: Side | null;
  /** What is the case, and what follows from it. */
  readonly why: string;
}

type Comparing = Pick<Route, 'conflicts' | 'direction'>;

/** Whether the newer of two changes wins. On a one-way route, one side always does. */
export const comparesTimes = ({ conflicts, direction }: Comparing): boolean =>
  direction === 'both' && conflicts === 'newest';

/** Answers have whole seconds and take time; no pause and no conflict needs more than this. */
const nearMs = 60_000;

const isFar = (ms: number): boolean => Math.abs(ms) > nearMs;

/**
 * Of three clocks, the one that two others contradict is wrong. Two clocks cannot say which of them is; a service with
 * many readers then counts more than the machine of the bridge.
 */
export function wrongClock({ tracker, github }: ClocksAhead, route: Comparing): WrongClock | null {
  if (tracker === null || github === null) return ofTwo({ tracker, github });
  const between = tracker - github;
  if (!isFar(between)) return isFar(github) ? ownIs(-github, 'those of both sides') : null;
  const effect = comparesTimes(route)
    ? 'conflicts: newest compares the times of both, and may decide wrongly'
    : 'the times of copies look wrong';
  if (!isFar(github))
    return {
      side: 'tracker',
      why: `the tracker's clock is ${span(between)} GitHub's and that of this machine; ${effect}`,
    };
  if (!isFar(tracker))
    return {
      side: 'github',
      why: `GitHub's clock is ${span(-between)} the tracker's and that of this machine; ${effect}`,
    };
  return ownIs(-github, `GitHub's, and the tracker's is ${span(between)} GitHub's`);
}

function ofTwo(ahead: ClocksAhead): WrongClock | null {
  const side = sides.find((each) => ahead[each] !== null);
  const ms = side === undefined ? 0 : (ahead[side] ?? 0);
  return isFar(ms) ? ownIs(-ms, side === 'github' ? "GitHub's" : "the tracker's") : null;
}

const ownIs = (ms: number, others: string): WrongClock => ({
  side: null,
  why: `the clock of this machine is ${span(ms)} ${others}; pauses that a side asks for end at the wrong time`,
});

/** What a person can do about it. */
export const clockAdvice = (side: Side | null): string =>
  side === null
    ? 'Set the clock of this machine (NTP).'
    : side === 'tracker'
      ? "Set the clock of the tracker's database (NTP)."
      : 'Set the clock that is wrong (NTP); the clock of github.com is right.';

function span(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const words =
    minutes < 2
      ? `${Math.round(Math.abs(ms) / 1_000)} seconds`
      : minutes < 120
        ? `${minutes} minutes`
        : minutes < 2_880
          ? `${Math.round(minutes / 60)} hours`
          : `${Math.round(minutes / 1_440)} days`;
  return `${words} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
