import type { Context } from '../kernel/context.ts';
import { keepFailure } from '../kernel/outbox.ts';
import { keepPause, type Paused, pauseInForce } from '../kernel/pause.ts';
import type { Hint } from '../model/control.ts';
import { withdrawAll, withdrawals } from '../privacy/withdraw.ts';
import { type CycleReport, cycle } from './cycle.ts';
import { type SweepReport, sweep } from './sweep.ts';

/** One route that can be worked on, once both of its sides have been greeted. */
export interface RouteRunner extends Pick<Context, 'store' | 'clock' | 'tell'> {
  readonly name: string;
  /** Whether what a hint names may be of this route. */
  isConcerned(hint: Hint): boolean;
  /** Greets both sides the first time, and whenever that has not succeeded yet. Throws `SideError`. */
  context(): Promise<Context>;
  /** The same without asking either side, by what was learnt last; null before both were greeted. */
  known(): Context | null;
  /** The next context asks both sides again what was learnt from them. */
  renew(): void;
}

/**
 * What a visit to a route came to. An error never keeps the other routes from their turn. A route of which a side has asked for a
 * pause is not visited while it lasts: who goes on asking may be shut out for good. What is known to be hidden by then goes all the same,
 * as long as it is not GitHub that has asked.
 */
export type RouteRun =
  | { readonly kind: 'cycle'; readonly route: string; readonly ms: number; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly route: string; readonly ms: number; readonly report: SweepReport }
  | ({ readonly kind: 'paused'; readonly route: string } & Paused)
  | { readonly kind: 'failed'; readonly route: string; readonly ms: number; readonly error: unknown };

export interface PassOptions {
  /** Whether a route may carry out what the brake would refuse. */
  readonly isForced: (route: string) => boolean;
  /** What a cycle is to look at besides the lists. */
  readonly hints?: readonly Hint[];
  /** After this no further route is visited. */
  readonly signal: AbortSignal;
}

/** One cycle of every route, one route after the other. */
export function pass(runners: readonly RouteRunner[], options: PassOptions): Promise<readonly RouteRun[]> {
  const { hints = [] } = options;
  return runAll('cycle', runners, options, async (runner, isForced) => {
    const mine = hints.filter((hint) => runner.isConcerned(hint));
    const report = await cycle(await runner.context(), { isForced, hints: mine });
    return { kind: 'cycle', report };
  });
}

/** One sweep of every route. What was learnt from the sides, such as the values the tracker knows, is learnt afresh. */
export function sweepPass(runners: readonly RouteRunner[], options: PassOptions): Promise<readonly RouteRun[]> {
  return runAll('sweep', runners, options, async (runner, isForced) => {
    runner.renew();
    const report = await sweep(await runner.context(), { isForced });
    return { kind: 'sweep', report };
  });
}

type Work =
  | ({ readonly kind: 'paused' } & Paused)
  | { readonly kind: 'cycle'; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly report: SweepReport }
  | { readonly kind: 'failed'; readonly error: unknown };

async function runAll(
  of: 'cycle' | 'sweep',
  runners: readonly RouteRunner[],
  { isForced, signal }: PassOptions,
  work: (runner: RouteRunner, isForced: boolean) => Promise<Work>,
): Promise<readonly RouteRun[]> {
  const runs: RouteRun[] = [];
  for (const runner of runners) {
    if (signal.aborted) break;
    const route = runner.name;
    const paused = pauseInForce(runner);
    const failed = (error: unknown): Work => {
      // What was interrupted has not failed.
      if (!signal.aborted) keepFailure(runner, of, error);
      keepPause(runner, error);
      return { kind: 'failed', error };
    };
    const passed = (done: Work): Work => {
      if (done.kind === of) runner.store.failures.remove(route, of);
      return done;
    };
    const beganAt = runner.clock.now();
    const done = await (paused === null ? work(runner, isForced(route)) : leaveAlone(runner, paused)).then(passed).catch(failed);
    runs.push(done.kind === 'paused' ? { ...done, route } : { ...done, route, ms: runner.clock.now() - beganAt });
  }
  return runs;
}

async function leaveAlone(runner: RouteRunner, paused: Paused): Promise<Work> {
  const context = runner.known();
  if (context !== null) await withdrawAll(context, withdrawals(context, 'hidden').keys());
  return { kind: 'paused', ...paused };
}

/** Something to be done by the clock, as `runtime/schedule.ts` takes it. */
export interface ScheduledJob {
  readonly name: string;
  readonly expression: string;
  run(): Promise<void>;
  failed(error: unknown): void;
}

export interface DaemonOptions {
  readonly runners: readonly RouteRunner[];
  /** Cron expressions; the first round of cycles begins at once. */
  readonly times: { readonly poll: string; readonly sweep: string };
  readonly schedule: (job: ScheduledJob) => { stop(): Promise<void> };
  /** Lets every route pass the brake in its first cycle. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly ran: (runs: readonly RouteRun[]) => void;
}

export interface Daemon {
  /** Visits the routes that the hint may be about as soon as it is their turn. Hints that come meanwhile go together. */
  hint(hint: Hint): void;
  /** A round of all routes, as soon as it is their turn. */
  markDirty(): void;
  /** Runs something between two rounds, when nothing of a cycle is half done. Rejects when it throws. */
  between<T>(work: () => T): Promise<T>;
  /** Begins nothing more; resolves when the round under way has ended. */
  stop(): Promise<void>;
}

/** Rounds by the clock and at every hint, never two at a time, until it is stopped. */
export function daemon({ runners, times, schedule, isForced, signal, ran }: DaemonOptions): Daemon {
  const forced = new Set(isForced ? runners.map(({ name }) => name) : []);
  let hints: Hint[] = [];
  let isAwake = false;
  const poll = async (which: (runner: RouteRunner, hints: readonly Hint[]) => boolean) => {
    const mine = hints;
    hints = [];
    const concerned = runners.filter((runner) => which(runner, mine));
    const runs = await pass(concerned, { isForced: (route) => forced.has(route), signal, hints: mine });
    for (const { kind, route } of runs) if (kind === 'cycle') forced.delete(route);
    if (runs.length > 0) ran(runs);
  };
  const pollAll = () => {
    isAwake = false;
    return poll(() => true);
  };
  const pollHinted = () => poll((runner, mine) => mine.some((hint) => runner.isConcerned(hint)));
  const sweepAll = async () => ran(await sweepPass(runners, { isForced: () => false, signal }));
  const failed = (error: unknown) => {
    for (const runner of runners) keepFailure(runner, 'cycle', error);
    ran(runners.map(({ name }) => ({ kind: 'failed', route: name, ms: 0, error })));
  };
  const inTurn = turns();
  const first = inTurn(pollAll).catch(failed);
  let last = first;
  const jobs = [
    schedule({ name: 'poll', expression: times.poll, run: () => inTurn(pollAll), failed }),
    schedule({ name: 'sweep', expression: times.sweep, run: () => inTurn(sweepAll), failed }),
  ];
  return {
    hint(hint) {
      hints.push(hint);
      if (hints.length === 1) last = inTurn(pollHinted).catch(failed);
    },
    markDirty() {
      if (isAwake) return;
      isAwake = true;
      last = inTurn(pollAll).catch(failed);
    },
    between: (work) => inTurn(async () => work()),
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      await first;
      await last;
    },
  };
}

/** Runs pieces of work one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
