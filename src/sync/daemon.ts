import { backoffInForce, keepBackoff, type SideBackoff } from '../kernel/backoff.ts';
import { keepFailure } from '../kernel/outbox.ts';
import type { Hint, Pause } from '../model/control.ts';
import { takeAtOnce } from './commands.ts';
import { type CycleReport, cycle } from './cycle.ts';
import { isSweepMissed, overdueSweeps } from './overdue-sweeps.ts';
import { admitted, type RouteRunner } from './route-runner.ts';
import { type SweepReport, sweep } from './sweep.ts';
import { withdrawHidden } from './withdraw/withdraw.ts';

/**
 * The result of running a route. An error never keeps the other routes from their turn. While a side of a route has
 * asked for a backoff, the route does not run: clients that ignore a backoff may be blocked for good. Everything known
 * to be hidden by then is withdrawn all the same, unless the backoff is GitHub's. While a person has paused the route
 * (`paused`), it is read, and what is private is withdrawn; nothing else is written.
 */
export type RouteRun =
  | { readonly kind: 'cycle'; readonly route: string; readonly ms: number; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly route: string; readonly ms: number; readonly report: SweepReport }
  | ({ readonly kind: 'backoff'; readonly route: string } & SideBackoff)
  | ({ readonly kind: 'paused'; readonly route: string } & Pause)
  | { readonly kind: 'failed'; readonly route: string; readonly ms: number; readonly error: unknown };

export interface PassOptions {
  /** Whether a route may carry out what the brake would refuse. */
  readonly isForced: (route: string) => boolean;
  /** Items that a cycle reads in addition to the lists. */
  readonly hints?: readonly Hint[];
  /** Once it aborts, no further route runs. */
  readonly signal: AbortSignal;
}

/** One cycle of every route, one route after the other. */
export function cyclePass(runners: readonly RouteRunner[], options: PassOptions): Promise<readonly RouteRun[]> {
  const { hints = [] } = options;
  return runAll('cycle', runners, options, async (runner, isForced) => {
    const mine = hints.filter((hint) => runner.isConcerned(hint));
    const report = await cycle(await admitted(runner, 'cycle', isForced), { isForced, hints: mine });
    return { kind: 'cycle', report };
  });
}

/** One sweep of every route. What the sides report at login, such as the tracker's values, is read again. */
export function sweepPass(runners: readonly RouteRunner[], options: PassOptions): Promise<readonly RouteRun[]> {
  return runAll('sweep', runners, options, async (runner, isForced) => {
    runner.renew();
    const report = await sweep(await admitted(runner, undefined, isForced), { isForced });
    return { kind: 'sweep', report };
  });
}

type Work =
  | ({ readonly kind: 'backoff' } & SideBackoff)
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
    try {
      // Without its state, the bridge would do everything a second time.
      runner.store.assertInPlace();
    } catch (error) {
      keepFailure(runner, of, error);
      runs.push({ kind: 'failed', route, ms: 0, error });
      continue;
    }
    takeAtOnce(runner);
    runner.store.moments.followClock(runner.clock.now());
    const pause = runner.store.pauses.of(route);
    const backoff = backoffInForce(runner);
    const failed = (error: unknown): Work => {
      // An interrupted run has not failed.
      if (!signal.aborted) keepFailure(runner, of, error);
      keepBackoff(runner, error);
      return { kind: 'failed', error };
    };
    const passed = (done: Work): Work => {
      if (done.kind === of) runner.store.failures.remove(route, of);
      return done;
    };
    const beganAt = runner.clock.now();
    const done = await (backoff === null ? work(runner, isForced(route)) : leaveAlone(runner, backoff))
      .then(passed)
      .catch(failed);
    if (pause === null && done.kind !== 'backoff' && !signal.aborted) await runner.report?.().catch(failed);
    if (pause !== null && done.kind !== 'failed') runs.push({ kind: 'paused', route, ...pause });
    else runs.push(done.kind === 'backoff' ? { ...done, route } : { ...done, route, ms: runner.clock.now() - beganAt });
  }
  return runs;
}

async function leaveAlone(runner: RouteRunner, backoff: SideBackoff): Promise<Work> {
  const context = runner.known();
  if (context !== null) await withdrawHidden(context);
  return { kind: 'backoff', ...backoff };
}

/** A scheduled job, as `runtime/schedule.ts` takes it. */
export interface ScheduledJob {
  readonly name: string;
  readonly expression: string;
  run(): Promise<void>;
  failed(error: unknown): void;
}

export interface DaemonOptions {
  readonly runners: readonly RouteRunner[];
  /** Cron expressions; the first pass begins at once. */
  readonly times: { readonly poll: string; readonly sweep: string };
  readonly schedule: (job: ScheduledJob) => {
    stop(): Promise<void>;
    nextAt(): number | null;
    /** Whether a moment of the expression has passed since then. */
    hasPassedSince(at: number): boolean;
  };
  /** Lets the first cycle of every route pass the brake. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly ran: (runs: readonly RouteRun[]) => void;
}

export interface Daemon {
  /** Queues a pass over the routes that the hint may be about. Hints that arrive meanwhile share that pass. */
  hint(hint: Hint): void;
  /** Queues a pass over all routes. */
  runSoon(): void;
  /** Queues a run of the route that passes the brake once: a cycle, or a full comparison. */
  force(route: string, of: 'cycle' | 'sweep'): void;
  /** When the next pass and the next full comparison are due; null when never. */
  next(): { readonly pollAt: number | null; readonly sweepAt: number | null };
  /** Runs something between two passes, so never in the middle of a cycle. Rejects when it throws. */
  between<T>(work: () => T): Promise<T>;
  /** Starts nothing more; resolves when the current pass has ended. */
  stop(): Promise<void>;
}

/** Runs passes by the clock and at every hint, never two at a time, until it is stopped. */
export function daemon({ runners, times, schedule, isForced, signal, ran }: DaemonOptions): Daemon {
  const sweeping = sweeper({ runners, signal, ran });
  const forced = forcedRoutes(isForced ? runners.map(({ name }) => name) : []);
  let hints: Hint[] = [];
  let isQueued = false;
  let last: Promise<void> = Promise.resolve();
  const poll = async (which: (runner: RouteRunner, hints: readonly Hint[]) => boolean) => {
    const mine = hints;
    hints = [];
    const concerned = runners.filter((runner) => which(runner, mine));
    const runs = await cyclePass(concerned, { isForced: (route) => forced.has(route), signal, hints: mine });
    goOn(runs);
    if (runs.length > 0) ran(runs);
    return runs;
  };
  /** What a route had no time to write follows at once, after the others. */
  const goOn = (runs: readonly RouteRun[]): void => {
    forced.after(runs);
    if (runs.some(isCut) && !signal.aborted) runSoon();
  };
  const runSoon = (): void => {
    if (isQueued) return;
    isQueued = true;
    last = inTurn(pollAll).catch(failed);
  };
  const pollAll = async () => {
    isQueued = false;
    const runs = await poll(() => true);
    await sweeping.after(runs);
  };
  const pollHinted = async () => void (await poll((runner, mine) => mine.some((hint) => runner.isConcerned(hint))));
  const failed = (error: unknown) => {
    for (const runner of runners) keepFailure(runner, 'cycle', error);
    ran(runners.map(({ name }) => ({ kind: 'failed', route: name, ms: 0, error })));
  };
  const inTurn = turns();
  const polls = schedule({ name: 'poll', expression: times.poll, run: () => inTurn(pollAll), failed });
  const sweeps = schedule({ name: 'sweep', expression: times.sweep, run: () => inTurn(sweeping.all), failed });
  sweeping.add(runners.filter((runner) => isSweepMissed(runner, sweeps.hasPassedSince)));
  const first = inTurn(pollAll).catch(failed);
  last = first;
  return {
    hint(hint) {
      hints.push(hint);
      if (hints.length === 1) last = inTurn(pollHinted).catch(failed);
    },
    runSoon,
    force(route, of) {
      const run = async () => {
        if (of === 'sweep') return sweeping.these([route], true);
        const mine = runners.filter(({ name }) => name === route);
        const runs = await cyclePass(mine, { isForced: () => true, signal });
        if (runs.some(isCut)) forced.add(route);
        goOn(runs);
        ran(runs);
      };
      last = inTurn(run).catch(failed);
    },
    next: () => ({ pollAt: polls.nextAt(), sweepAt: sweeps.nextAt() }),
    between: (work) => inTurn(async () => work()),
    async stop() {
      await Promise.all([polls.stop(), sweeps.stop()]);
      await first;
      await last;
    },
  };
}

/** The full comparisons, those that are overdue included. */
function sweeper({ runners, signal, ran }: Pick<DaemonOptions, 'runners' | 'signal' | 'ran'>) {
  const overdue = overdueSweeps();
  const add = (wanted: readonly RouteRunner[]): void => overdue.add(wanted.map(({ name }) => name));
  const these = async (routes: readonly string[], isForced = false): Promise<void> => {
    const wanted = runners.filter(({ name }) => routes.includes(name));
    if (wanted.length === 0) return;
    const runs = await sweepPass(wanted, { isForced: () => isForced, signal });
    overdue.settle(runs);
    ran(runs);
  };
  const all = (): Promise<void> => {
    add(runners);
    return these(runners.map(({ name }) => name));
  };
  const after = (runs: readonly RouteRun[]): Promise<void> => {
    const worked = runs.flatMap(({ kind, route }) => (kind === 'cycle' || kind === 'paused' ? [route] : []));
    return these(overdue.after(worked));
  };
  return { add, these, all, after };
}

/** How many cycles in a row pass the brake for what the first one had no time to write. */
const forcedMax = 10;

/** The routes whose next cycle passes the brake. */
function forcedRoutes(names: readonly string[]) {
  const left = new Map(names.map((name) => [name, forcedMax]));
  return {
    has: (name: string): boolean => left.has(name),
    add: (name: string) => void left.set(name, forcedMax),
    after(runs: readonly RouteRun[]): void {
      for (const run of runs) {
        const cycles = isCut(run) ? (left.get(run.route) ?? 0) - 1 : 0;
        if (run.kind === 'cycle') left.delete(run.route);
        if (cycles > 0) left.set(run.route, cycles);
      }
    },
  };
}

/** Whether the run had no time to write all. */
export const isCut = (run: RouteRun): boolean => run.kind === 'cycle' && run.report.isCut;

/** Runs pieces of work one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
