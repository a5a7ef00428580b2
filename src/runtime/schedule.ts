import { slotsOf } from './slots.ts';

export interface Job {
  /** For messages. */
  readonly name: string;
  /** A cron expression of five fields, or six with seconds first, in UTC. */
  readonly expression: string;
  run(): Promise<void>;
  /** Handles an error that `run` throws; the schedule itself continues. */
  failed(error: unknown): void;
}

interface Scheduled {
  /** When it runs next, epoch milliseconds; null when never. */
  nextAt(): number | null;
  /** Whether the expression has a moment after `at` and up to now, epoch milliseconds. */
  hasPassedSince(at: number): boolean;
  /** Starts no more runs; resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** How often the wall clock is read: it may be set, and the monotonic clock may stand still while a machine sleeps. */
const wallMs = 30_000;
/**
 * How far the wall clock may be behind a moment that the monotonic clock has reached, so that the moment does not come
 * twice.
 */
const earlyMs = 1_000;

/**
 * Runs a job on a schedule. The expression says how long to wait, and a monotonic clock measures that: so the job waits
 * no longer than the expression says, however the wall clock is set meanwhile. If the wall clock reaches the moment
 * earlier, because it was set forward or because the machine slept, the job runs then. However many moments have
 * passed, it runs once, as each run does all there is to do.
 */
export function schedule(job: Job): Scheduled {
  const slots = slotsOf(job.expression);
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let met = 0;
  let due = nextDue();
  runIfDue();
  return {
    nextAt: () => (due === null ? null : Date.now() + Math.max(0, due.deadline - performance.now())),
    hasPassedSince(at) {
      const next = slots.after(at + earlyMs);
      return at > Date.now() || (next !== null && next <= Date.now());
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  function nextDue(): Due | null {
    const now = Date.now();
    const slot = slots.after(met - now <= earlyMs ? Math.max(met, now) : now);
    return slot === null ? null : { slot, deadline: performance.now() + slot - now };
  }

  function runIfDue(): void {
    if (isStopped) return;
    if (due !== null && isReached(due)) {
      met = due.slot;
      running = job
        .run()
        .catch((error: unknown) => job.failed(error))
        .then(() => {
          due = nextDue();
          runIfDue();
        });
      return;
    }
    // A clock that was put back comes to an earlier moment.
    const next = nextDue();
    if (due === null || (next !== null && next.deadline < due.deadline)) due = next;
    const leftMs = due === null ? wallMs : due.deadline - performance.now();
    timer = setTimeout(runIfDue, Math.max(1, Math.min(wallMs, Math.ceil(leftMs))));
  }
}

interface Due {
  /** By the wall clock, epoch milliseconds. */
  readonly slot: number;
  /** By the monotonic clock. */
  readonly deadline: number;
}

const isReached = ({ slot, deadline }: Due): boolean => performance.now() >= deadline || Date.now() >= slot;
