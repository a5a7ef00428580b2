import PQueue from 'p-queue';
import type { Lane } from '../model/runtime.ts';

/**
 * The queues in front of the two sides. All windows slide (`strict`): with fixed windows, two full allowances could leave
 * back to back where one window ends and the next begins. They are in memory; what must survive a restart is in the store's budgets.
 */

export interface TrackerPace {
  readonly requestsPerSecond: number;
  /** Requests at the same time; of writes it is one. */
  readonly concurrency: number;
}

/** A tracker that takes longer than this for an answer is told to be busy. */
const slowMs = 1_000;
const restMaxMs = 30_000;

/**
 * Trackers document no limits, but many are small machines: few requests at once, and a cap on how many a second. Whoever answers slowly
 * is left alone for as long as the answer took, so that the bridge is never more than half of what keeps a busy tracker busy.
 *
 * Writes go one at a time, and reads overtake them. Of two that one account sends to harmony or BMO at the same time, one may be lost
 * although both are answered as done; a stock tracker answers such writes with deadlocks, if they are for one bug.
 */
export function trackerLane({ requestsPerSecond, concurrency }: TrackerPace): Lane {
  const writes = new PQueue({ concurrency: 1 });
  const queue = new PQueue({ concurrency, intervalCap: requestsPerSecond, interval: 1000, strict: true });
  const rests = restingPlaces(() => queue.size > 0);
  for (const moment of ['add', 'active'] as const) queue.addEventListener(moment, rests.review);
  const enter = <T>(request: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      void queue.add(async () => {
        const startedMs = performance.now();
        try {
          resolve(await request());
        } catch (error) {
          reject(error);
        }
        await rests.rest(restMs(performance.now() - startedMs));
      });
    });
  return { run: (cost, request) => (cost === 'read' ? enter(request) : writes.add(() => enter(request))) };
}

/** How long the place of a request that took `tookMs` stays empty. */
export const restMs = (tookMs: number): number => (tookMs <= slowMs ? 0 : Math.min(tookMs, restMaxMs));

/**
 * Rests of places. One keeps the process alive as long as a request waits behind it: without that, a process that has nothing else to
 * do would end, and the request would never be sent. A rest that nobody waits for lets the process end.
 */
function restingPlaces(isAwaited: () => boolean) {
  const timers = new Set<NodeJS.Timeout>();
  /** To be called whenever a request has come to wait, or waits no more. */
  const review = () => {
    for (const timer of timers) isAwaited() ? timer.ref() : timer.unref();
  };
  const rest = async (ms: number): Promise<void> => {
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
  return { rest, review };
}

export interface GithubPace {
  /** GitHub's secondary limit is 900: a read is 1 point, a write 5. At least 10. */
  readonly pointsPerMinute: number;
  /** From the start of one write to the start of the next; GitHub asks for at least a second. */
  readonly pauseBetweenWritesMs: number;
}

/** Of the 100 requests at a time that GitHub allows to all programs of an account together. */
const requestsAtOnce = 8;
const pointsPerWrite = 5;

/**
 * Three queues, one inside the other:
 *
 *   writes  one at a time, as GitHub asks; a read does not pass through here, so it overtakes the writes that wait
 *   points  the minute's allowance; a write takes the slots of four blanks before its own
 *   starts  the pause between writes, innermost, so that waiting for points cannot shorten it
 *
 * A write's points are counted up to a moment before it starts. As only one write is past `writes` at a time, a window can miss no more
 * than one write's points, and that much is kept in reserve.
 */
export function githubLane({ pointsPerMinute, pauseBetweenWritesMs }: GithubPace): Lane {
  const writes = new PQueue({ concurrency: 1 });
  const points = new PQueue({
    concurrency: requestsAtOnce,
    intervalCap: pointsPerMinute - pointsPerWrite,
    interval: 60_000,
    strict: true,
  });
  const starts = pauseBetweenWritesMs > 0 ? new PQueue({ intervalCap: 1, interval: pauseBetweenWritesMs, strict: true }) : null;

  const write = async <T>(request: () => Promise<T>): Promise<T> => {
    for (let blank = 1; blank < pointsPerWrite; blank++) void points.add(() => undefined);
    return points.add(() => (starts === null ? request() : starts.add(request)));
  };
  return { run: (cost, request) => (cost === 'read' ? points.add(request) : writes.add(() => write(request))) };
}
