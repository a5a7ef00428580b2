/** How fast requests may be sent to the two sides, by the configured limits. */
export interface Pace {
  readonly pointsPerMinute: number;
  readonly pauseBetweenWritesMs: number;
  readonly createsPerMinute: number;
  readonly createsPerHour: number;
  readonly trackerRequestsPerSecond: number;
}

/** How fast content may be created: what no report has seen refused, and what GitHub documents as its limit. */
export interface CreationRate {
  readonly safe: number;
  readonly documented: number;
}

/**
 * Sources: docs.github.com, "Rate limits for the REST API", "About secondary rate limits"; github.com/cli/cli/issues/4801, where GitHub refused at 20
 * a minute and 150 an hour.
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

/** The minimum duration of some work, starting with unused limits, and the limit that decides it. */
export function durationOf({ reads, writes, creations, trackerRequests }: Work, pace: Pace): Duration {
  const allWrites = writes + creations;
  const candidates: readonly Duration[] = [
    { ms: allWrites * pace.pauseBetweenWritesMs, limitedBy: 'the pause between writes to GitHub' },
    { ms: ((allWrites * pointsPerWrite + reads) / pace.pointsPerMinute) * minuteMs, limitedBy: 'points a minute at GitHub' },
    { ms: waitedMs(allWrites + reads, requestsPerHour), limitedBy: 'requests an hour at GitHub' },
    { ms: (creations / pace.createsPerMinute) * minuteMs, limitedBy: 'creations a minute at GitHub' },
    { ms: waitedMs(creations, pace.createsPerHour), limitedBy: 'creations an hour at GitHub' },
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
}

/** About how long it takes until that many are created: what exceeds the rest of an allowance waits for as many windows as it fills. */
export const untilCreated = (creations: number, remaining: readonly Remaining[]): number =>
  Math.max(0, ...remaining.map(({ left, max, windowMs }) => Math.ceil(Math.max(0, creations - left) / max) * windowMs));

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
