/** How fast requests may be sent to the two sides, by the configured limits and by what GitHub was found to take. */
export interface Pace {
  readonly pointsPerMinute: number;
  readonly pauseBetweenWritesMs: number;
  readonly trackerRequestsPerSecond: number;
  /** What is left of the allowances for creations before the work begins. */
  readonly creations: readonly Remaining[];
  /** Absent for work that no cycle cuts. */
  readonly writesPerCycle?: number;
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
    {
      ms: untilWritten(
        { creations, others: writes + trackerRequests },
        pace.creations,
        pace.writesPerCycle ?? Infinity,
      ),
      limitedBy: 'the writes that a cycle may make (limits.writesPerCycle)',
    },
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
  /** The most that was created within a window so far; absent for `max`. */
  readonly passed?: number;
  /** The window without the margin that is kept of it, in which the rate is learned; absent if they are the same. */
  readonly learnedInMs?: number;
  /** What is used, and how long ago; absent for all of it just now. */
  readonly spent?: readonly Spending[];
}

interface Spending {
  readonly agoMs: number;
  readonly count: number;
}

/** The part of a window that has to pass after it was used in full before its rate doubles, if nothing was refused. */
export const risesAfter = 1 / 4;

/** Creations that a limit holds back go with the next cycle, which comes each minute (`schedule.poll`). */
const cycleMs = 60_000;

/** About how long it takes until that many are created, if nothing is refused. */
export const untilCreated = (creations: number, remaining: readonly Remaining[]): number =>
  untilWritten({ creations, others: 0 }, remaining, Infinity);

/**
 * The same with other writes, where a cycle may make only so many: goes through the cycles one by one. Other writes
 * take their share of the turns, and wait for no allowance.
 */
export function untilWritten(
  work: { readonly creations: number; readonly others: number },
  remaining: readonly Remaining[],
  perCycle: number,
): number {
  let rates = remaining.map(begun).sort((one, other) => other.windowMs - one.windowMs);
  for (let [{ creations, others }, at] = [work, 0]; ; ) {
    rates = rates.map((each) => ({ ...each, spent: each.spent.filter((spent) => at - spent.at < each.windowMs) }));
    const turns = Math.min(perCycle, creations + others);
    const taken = Math.round((turns * others) / Math.max(1, creations + others));
    const room = Math.max(0, Math.min(...rates.map((each) => roomIn(each, rates, at))));
    const created = Math.min(turns - taken, room);
    creations -= created;
    others -= taken;
    if (creations + others <= 0) return at;
    if (created > 0) rates = rates.map((each) => used(each, created, at));
    const next = created < room || others > 0 ? at : Math.min(...rates.map((each) => nextAt(each, at)));
    at = Math.ceil(Math.max(next, at + 1) / cycleMs) * cycleMs;
  }
}

interface Rate {
  readonly windowMs: number;
  readonly learnedInMs: number;
  readonly max: number;
  readonly risesTo: number;
  readonly spent: readonly { readonly at: number; readonly count: number }[];
  /** The most that was created within a window. */
  readonly passed: number;
  /** When it was used in full; null while some of it is left. */
  readonly filledAt: number | null;
}

function begun({ left, max, windowMs, risesTo = max, passed = max, learnedInMs = windowMs, spent }: Remaining): Rate {
  const past = (spent ?? [{ agoMs: 0, count: max - left }]).filter(({ count }) => count > 0);
  const times = past.map(({ agoMs, count }) => ({ at: -agoMs, count }));
  const rate = { windowMs, learnedInMs, max, risesTo, spent: times, passed, filledAt: null };
  return learnedIn(rate, 0) < max ? rate : { ...rate, filledAt: Math.max(...times.map(({ at }) => at)) };
}

const countIn = ({ spent }: Pick<Rate, 'spent'>): number => spent.reduce((sum, { count }) => sum + count, 0);

const learnedIn = ({ spent, learnedInMs }: Rate, at: number): number =>
  countIn({ spent: spent.filter((each) => at - each.at < learnedInMs) });

const allowedIn = ({ max, risesTo, filledAt, learnedInMs }: Rate, at: number): number =>
  filledAt !== null && at - filledAt >= learnedInMs * risesAfter ? Math.min(risesTo, max * 2) : max;

/** While a longer window goes beyond what has passed, a shorter one does not: a refusal then says which it was. */
function roomIn(rate: Rate, rates: readonly Rate[], at: number): number {
  const isHeld = rates.some((each) => each.windowMs > rate.windowMs && learnedIn(each, at) >= each.passed);
  const allowed = allowedIn(rate, at);
  return (isHeld ? Math.min(allowed, rate.passed) : allowed) - countIn(rate);
}

function used(rate: Rate, created: number, at: number): Rate {
  const max = allowedIn(rate, at);
  const spent = [...rate.spent, { at, count: created }];
  const count = learnedIn({ ...rate, spent }, at);
  const filledAt = max === rate.max && rate.filledAt !== null ? rate.filledAt : count >= max ? at : null;
  return { ...rate, max, spent, filledAt, passed: Math.max(rate.passed, count) };
}

/** When more may be created: something leaves the window, or the rate rises. */
function nextAt({ spent, windowMs, learnedInMs, filledAt, max, risesTo }: Rate, at: number): number {
  const [oldest] = spent;
  const risesAt = filledAt === null || max >= risesTo ? Infinity : filledAt + learnedInMs * risesAfter;
  const freeAt = oldest === undefined ? at : Math.min(...spent.map((each) => each.at)) + windowMs;
  return Math.min(freeAt, risesAt > at ? risesAt : Infinity);
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
