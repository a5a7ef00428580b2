import { createTask } from 'node-cron';

export interface Job {
  /** For messages. */
  readonly name: string;
  /** A cron expression of five fields, or six with seconds first, in UTC. */
  readonly expression: string;
  run(): Promise<void>;
  /** Handles an error that `run` throws; the schedule itself continues. */
  failed(error: unknown): void;
}

export interface Scheduled {
  /** When it runs next, epoch milliseconds; null when never. */
  nextAt(): number | null;
  /** Starts no more runs; resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job on a schedule. A run that is due while the last one is still busy is skipped, as each run does all there is to do.
 * Times are UTC, which has no missing or repeated hours.
 */
export function schedule(job: Job): Scheduled {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const run = (): Promise<void> => {
    if (isStopped) return running;
    running = job.run().catch((error: unknown) => job.failed(error));
    return running;
  };
  // The library's log lines would bypass our log; skipped and late runs are intended.
  const silent = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };
  const task = createTask(job.expression, run, {
    name: job.name,
    timezone: 'UTC',
    noOverlap: true,
    logger: silent,
    suppressMissedWarning: true,
  });
  void task.start();
  return {
    nextAt: () => task.getNextRun()?.getTime() ?? null,
    async stop() {
      isStopped = true;
      await task.destroy();
      await running;
    },
  };
}
