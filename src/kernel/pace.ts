/** How fast the two sides may be asked, by the configured limits. */
export interface Pace {
  readonly pointsPerMinute: number;
  readonly pauseBetweenWritesMs: number;
  readonly createsPerMinute: number;
  readonly createsPerHour: number;
  readonly trackerRequestsPerSecond: number;
}

/** Requests that are to be made. Imports and changes are writes that create nothing in GitHub's sense. */
export interface Work {
  readonly reads: number;
  readonly writes: number;
  /** Issues and comments that are made one by one. */
  readonly creations: number;
  readonly trackerRequests: number;
}

export interface Duration {
  readonly ms: number;
  /** What decides how long it takes, in words. */
  readonly limitedBy: string;
}

/** A token may make so many requests an hour. Source: docs.github.com, "Rate limits for the REST API". */
const requestsPerHour = 5_000;
const pointsPerWrite = 5;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** How long work takes at the very least, beginning with nothing used up, and which limit makes it so. */
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

/** An hour's allowance may be used up at once, and the next one only when that hour is over. */
const waitedMs = (count: number, perHour: number): number => Math.max(0, Math.ceil(count / perHour) - 1) * hourMs;

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
