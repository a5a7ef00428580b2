import PQueue from 'p-queue';
import type { Lane } from '../model/runtime.ts';

/**
 * The request queues of the two sides. All windows slide: with fixed windows, two full allowances could be spent back
 * to back where one window ends and the next begins. They are in memory; limits that must survive a restart are in the
 * store's budgets.
 */

interface TrackerPace {
  readonly requestsPerSecond: number;
  /** Concurrent requests; writes go one at a time. */
  readonly concurrency: number;
}

/** A tracker that takes longer to answer counts as busy. */
const slowMs = 1_000;
const gapMaxMs = 30_000;

/**
 * Trackers document no limits, but many are small machines: few concurrent requests, and a cap per second. After a
 * slow answer, the slot stays empty for as long as the answer took, so that the bridge never causes more than half of
 * the load.
 *
 * Writes go one at a time, and reads overtake them. If one account sends two writes at once to harmony or BMO, one may
 * be lost although both are confirmed; a stock tracker answers concurrent writes to one bug with deadlocks.
 */
export function trackerLane({ requestsPerSecond, concurrency }: TrackerPace): Lane {
  const writes = new PQueue({ concurrency: 1 });
  const queue = new PQueue({ concurrency });
  const second = slidingWindow(requestsPerSecond, 1_000);
  const gaps = gapsBetween(() => queue.size > 0);
  for (const moment of ['add', 'active'] as const) queue.addEventListener(moment, gaps.review);
  const enter = <T>(request: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      void queue.add(async () => {
        await second.entered();
        const startedMs = performance.now();
        try {
          resolve(await request());
        } catch (error) {
          reject(error);
        }
        await gaps.take(gapMs(performance.now() - startedMs));
      });
    });
  return { run: (cost, request) => (cost === 'read' ? enter(request) : writes.add(() => enter(request))) };
}

/**
 * Lets no more than `most` enter within any span of `spanMs`, in their order. The windows of p-queue follow the wall
 * clock: one that is put back by an hour would hold all requests for an hour.
 */
function slidingWindow(most: number, spanMs: number) {
  const taken: number[] = [];
  const entered = async (): Promise<void> => {
    const now = performance.now();
    const at = taken.length < most ? now : Math.max(now, (taken.shift() ?? now) + spanMs);
    taken.push(at);
    // A timer may fire a fraction of a millisecond early.
    if (at > now) await new Promise((resolve) => setTimeout(resolve, Math.ceil(at - now)));
  };
  return { entered };
}

/** How long the slot of a request that took `tookMs` stays empty. */
const gapMs = (tookMs: number): number => (tookMs <= slowMs ? 0 : Math.min(tookMs, gapMaxMs));

/**
 * Gaps between requests. A gap keeps the process alive while a request waits for its end; otherwise an idle process
 * would exit and never send the request. A gap that no request waits for lets the process exit.
 */
function gapsBetween(isAwaited: () => boolean) {
  const timers = new Set<NodeJS.Timeout>();
  /** Call whenever a request starts or stops waiting. */
  const review = () => {
    for (const timer of timers) isAwaited() ? timer.ref() : timer.unref();
  };
  const take = async (ms: number): Promise<void> => {
    if (ms === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
      review();
    });
  };
  return { take, review };
}

interface GithubPace {
  /** GitHub's secondary limit is 900: a read is 1 point, a write 5. At least 10. */
  readonly pointsPerMinute: number;
  /** From the start of one write to the start of the next; GitHub asks for at least one second. */
  readonly pauseBetweenWritesMs: number;
}

/** GitHub allows 100 concurrent requests to all programs of an account together. */
const requestsAtOnce = 8;
const pointsPerWrite = 5;
/**
 * Of all programs of an account together. Source: docs.github.com, "Rate limits for the REST API", "About secondary
 * rate limits".
 */
const pointsPerMinuteMax = 900;

/**
 * A process does not know what one before it used a moment ago: perhaps all that it may. In its first minute it leaves
 * out what would then be too much, but never more than half. Beyond GitHub's limit there is no such limit, as on a
 * server of one's own.
 */
const leftOutAtFirst = (pointsPerMinute: number): number =>
  pointsPerMinute > pointsPerMinuteMax
    ? 0
    : Math.min(Math.max(0, 2 * pointsPerMinute - pointsPerMinuteMax), Math.floor(pointsPerMinute / 2));

/**
 * Three queues, one inside the other:
 *
 *   writes  one at a time, as GitHub asks; reads bypass this queue and so overtake waiting writes
 *   points  the allowance per minute; a write takes four empty slots before its own
 *   starts  the pause between writes, innermost, so that waiting for points cannot shorten it
 *
 * The points of a write are counted slightly before it starts. As only one write is past `writes` at a time, a window
 * can miss at most the points of one write, which are kept in reserve.
 */
export function githubLane({ pointsPerMinute, pauseBetweenWritesMs }: GithubPace): Lane {
  const writes = new PQueue({ concurrency: 1 });
  const points = new PQueue({ concurrency: requestsAtOnce });
  const minute = slidingWindow(pointsPerMinute - pointsPerWrite, 60_000);
  const starts = slidingWindow(1, pauseBetweenWritesMs);

  const take = (count: number): void => {
    for (let blank = 0; blank < count; blank++) void points.add(minute.entered);
  };
  const read = <T>(request: () => Promise<T>): Promise<T> =>
    points.add(async () => {
      await minute.entered();
      return request();
    });
  const write = <T>(request: () => Promise<T>): Promise<T> => {
    take(pointsPerWrite - 1);
    return read(async () => {
      await starts.entered();
      return request();
    });
  };
  let leftOut = leftOutAtFirst(pointsPerMinute);
  const run: Lane['run'] = (cost, request) => {
    take(leftOut);
    leftOut = 0;
    return cost === 'read' ? read(request) : writes.add(() => write(request));
  };
  return { run };
}
