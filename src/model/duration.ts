/** How fast requests may be sent to the two sides, by the configured limits and by what GitHub was found to take. */
export interface Pace {
  readonly pointsPerMinute: number;
  readonly pauseBetweenWritesMs: number;
  readonly trackerRequestsPerSecond: number;
  /** What is left of the allowances for creations before the work begins. */
  readonly creations: readonly Remaining[];
}

/** How fast content may be created: what no report has seen refused, and what GitHub documents as its limit. */
export interface CreationRate {
  readonly safe: number;
  readonly documented: number;
}

/**
 * Sources: docs.github.com, "Rate limits for the REST API", "About secondary rate limits";
 * github.com/cli/cli/issues/4801, where GitHub refused at 20 a minute and 150 an hour.
 */
export const creationRates = {
  perMinute: { safe: 15, documented: 80 },
  perHour: { safe: 120, documented: 500 },
} as const satisfies Readonly<Record<string, CreationRate>>;

/** How many requests have to be sent. Imports and changes are writes that create no content in GitHub's sense. */
export interface Work {
  readonly reads: number;
  readonly writes: number;
  /** Issues and comments that are created one by one. */
  readonly creations: number;
  readonly trackerRequests: number;
}

export interface Duration {
  readonly ms: number;
  /** The limit that decides the duration, as text. */
  readonly limitedBy: string;
}

/** A token's limit. Source: docs.github.com, "Rate limits for the REST API". */
const requestsPerHour = 5_000;
const pointsPerWrite = 5;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/**
 * The minimum duration of some work, and the limit that decides it. Of the limits on requests, nothing counts as used.
 */
export function durationOf({ reads, writes, creations, trackerRequests }: Work, pace: Pace): Duration {
  const allWrites = writes + creations;
  const candidates: readonly Duration[] = [
    { ms: allWrites * pace.pauseBetweenWritesMs, limitedBy: 'the pause between writes to GitHub' },
    {
      ms: ((allWrites * pointsPerWrite + reads) / pace.pointsPerMinute) * minuteMs,
      limitedBy: 'points a minute at GitHub',
    },
    { ms: waitedMs(allWrites + reads, requestsPerHour), limitedBy: 'requests an hour at GitHub' },
    { ms: untilCreated(creations, pace.creations), limitedBy: 'the creations that GitHub allows' },
    { ms: (trackerRequests / pace.trackerRequestsPerSecond) * 1_000, limitedBy: 'requests a second to the tracker' },
  ];
  return candidates.reduce((longest, each) => (each.ms > longest.ms ? each : longest));
}

/** An hour's allowance may be used up at once; the next one starts when that hour is over. */
const waitedMs = (count: number, perHour: number): number => Math.max(0, Math.ceil(count / perHour) - 1) * hourMs;

/** What is left of an allowance for creations. */
export interface Remaining {
  readonly left: number;
  readonly max: number;
  readonly windowMs: number;
  /** How far `max` rises while nothing is refused; absent if it does not. */
  readonly risesTo?: number;
  /** How long ago the first and the last of what is used were created; absent for just now. */
  readonly usedForMs?: number;
  readonly fullForMs?: number;
}

/** The part of a window that has to pass after it was used in full before its rate doubles, if nothing was refused. */
export const risesAfter = 1 / 4;

/**
 * About how long it takes until that many are created, if nothing is refused. Goes through the windows until no rate
 * rises any more; then what exceeds the rest of an allowance waits for as many windows as it fills.
 */
export function untilCreated(creations: number, remaining: readonly Remaining[]): number {
  let windows = remaining.map(begun);
  let [rest, at] = [creations, 0];
  while (rest > 0 && windows.some(mayRise)) {
    const created = Math.min(rest, ...windows.map(({ left }) => left));
    rest -= created;
    windows = windows.map((each) => used(each, created, at));
    if (rest === 0) return at;
    at = Math.max(at, Math.min(...windows.map(nextAt)));
    windows = windows.map((each) => renewed(each, at));
  }
  return at + Math.max(0, ...windows.map((each) => waitOf(each, rest, at)));
}

/** How long what exceeds the rest of a window waits, from then on. */
function waitOf({ left, max, windowMs, usedAt }: Window, rest: number, at: number): number {
  return rest <= left ? 0 : Math.ceil((rest - left) / max) * windowMs - (at - (usedAt ?? at));
}

interface Window extends Remaining {
  /** When it began to be used; null while nothing of it is used. */
  readonly usedAt: number | null;
  /** When it was used in full; null while some of it is left. */
  readonly fullAt: number | null;
}

const begun = (each: Remaining): Window => ({
  ...each,
  usedAt: each.left < each.max ? -(each.usedForMs ?? 0) : null,
  fullAt: each.left === 0 ? -(each.fullForMs ?? 0) : null,
});

const mayRise = ({ max, risesTo = max }: Remaining): boolean => max < risesTo;

function used(each: Window, created: number, at: number): Window {
  if (created === 0) return each;
  const left = each.left - created;
  return { ...each, left, usedAt: each.usedAt ?? at, fullAt: left === 0 ? (each.fullAt ?? at) : null };
}

const risesAt = (each: Window): number =>
  each.fullAt === null || !mayRise(each) ? Infinity : each.fullAt + each.windowMs * risesAfter;
const emptyAt = ({ usedAt, windowMs }: Window): number => (usedAt === null ? Infinity : usedAt + windowMs);
const nextAt = (each: Window): number => Math.min(risesAt(each), emptyAt(each));

function renewed(each: Window, at: number): Window {
  const max = risesAt(each) <= at ? Math.min(each.risesTo ?? each.max, each.max * 2) : each.max;
  if (emptyAt(each) <= at) return { ...each, max, left: max, usedAt: null, fullAt: null };
  return max === each.max ? each : { ...each, max, left: each.left + max - each.max, fullAt: null };
}

/** `3 h 20 min`, `12 min`, `40 s` */
export function durationInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}
