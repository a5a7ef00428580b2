import { createTask } from 'node-cron';

export interface Job {
  /** For messages. */
  readonly name: string;
  /** A cron expression of five fields, or six with seconds first, in UTC. */
  readonly expression: string;
  run(): Promise<void>;
  /** What to do with an error that `run` throws: the schedule itself goes on. */
  failed(error: unknown): void;
}

export interface Scheduled {
  /** No run begins after this; resolves when the run under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs a job by the clock. A run that is due while the last one is still busy is left out: each run takes up all there is to do.
 * Times are UTC, where no hour is missing or comes twice.
 */
export function schedule(job: Job): Scheduled {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const run = (): Promise<void> => {
    if (isStopped) return running;
    running = job.run().catch((error: unknown) => job.failed(error));
    return running;
  };
  // The library's own log lines would bypass ours; left-out and late runs are what we ask for and no news.
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
    async stop() {
      isStopped = true;
      await task.destroy();
      await running;
    },
  };
}
