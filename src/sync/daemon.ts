import type { Context } from '../kernel/context.ts';
import { keepFailure } from '../kernel/outbox.ts';
import { keepPause, type Paused, pauseInForce } from '../kernel/pause.ts';
import type { Hint } from '../model/control.ts';
import { withdrawAll, withdrawals } from '../privacy/withdraw.ts';
import { type CycleReport, cycle } from './cycle.ts';
import { type SweepReport, sweep } from './sweep.ts';

/** One route that can be worked on, once both of its sides have been greeted. */
export interface Station extends Pick<Context, 'store' | 'clock' | 'tell'> {
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
export type Visit =
  | { readonly kind: 'cycle'; readonly route: string; readonly ms: number; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly route: string; readonly ms: number; readonly report: SweepReport }
  | ({ readonly kind: 'paused'; readonly route: string } & Paused)
  | { readonly kind: 'failed'; readonly route: string; readonly ms: number; readonly error: unknown };

export interface RoundOptions {
  /** Whether a route may carry out what the brake would refuse. */
  readonly isForced: (route: string) => boolean;
  /** What a cycle is to look at besides the lists. */
  readonly hints?: readonly Hint[];
  /** After this no further route is visited. */
  readonly signal: AbortSignal;
}

/** One cycle of every route, one route after the other. */
export function round(stations: readonly Station[], options: RoundOptions): Promise<readonly Visit[]> {
  const { hints = [] } = options;
  return visitAll('cycle', stations, options, async (station, isForced) => {
    const mine = hints.filter((hint) => station.isConcerned(hint));
    const report = await cycle(await station.context(), { isForced, hints: mine });
    return { kind: 'cycle', report };
  });
}

/** One sweep of every route. What was learnt from the sides, such as the values the tracker knows, is learnt afresh. */
export function sweepRound(stations: readonly Station[], options: RoundOptions): Promise<readonly Visit[]> {
  return visitAll('sweep', stations, options, async (station, isForced) => {
    station.renew();
    const report = await sweep(await station.context(), { isForced });
    return { kind: 'sweep', report };
  });
}

type Work =
  | ({ readonly kind: 'paused' } & Paused)
  | { readonly kind: 'cycle'; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly report: SweepReport }
  | { readonly kind: 'failed'; readonly error: unknown };

async function visitAll(
  of: 'cycle' | 'sweep',
  stations: readonly Station[],
  { isForced, signal }: RoundOptions,
  work: (station: Station, isForced: boolean) => Promise<Work>,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (const station of stations) {
    if (signal.aborted) break;
    const route = station.name;
    const paused = pauseInForce(station);
    const failed = (error: unknown): Work => {
      // What was interrupted has not failed.
      if (!signal.aborted) keepFailure(station, of, error);
      keepPause(station, error);
      return { kind: 'failed', error };
    };
    const passed = (done: Work): Work => {
      if (done.kind === of) station.store.failures.remove(route, of);
      return done;
    };
    const beganAt = station.clock.now();
    const done = await (paused === null ? work(station, isForced(route)) : leaveAlone(station, paused)).then(passed).catch(failed);
    visits.push(done.kind === 'paused' ? { ...done, route } : { ...done, route, ms: station.clock.now() - beganAt });
  }
  return visits;
}

async function leaveAlone(station: Station, paused: Paused): Promise<Work> {
  const context = station.known();
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
  readonly stations: readonly Station[];
  /** Cron expressions; the first round of cycles begins at once. */
  readonly times: { readonly poll: string; readonly sweep: string };
  readonly schedule: (job: ScheduledJob) => { stop(): Promise<void> };
  /** Lets every route pass the brake in its first cycle. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly visited: (visits: readonly Visit[]) => void;
}

export interface Daemon {
  /** Visits the routes that the hint may be about as soon as it is their turn. Hints that come meanwhile go together. */
  hint(hint: Hint): void;
  /** A round of all routes, as soon as it is their turn. */
  wake(): void;
  /** Runs something between two rounds, when nothing of a cycle is half done. Rejects when it throws. */
  between<T>(work: () => T): Promise<T>;
  /** Begins nothing more; resolves when the round under way has ended. */
  stop(): Promise<void>;
}

/** Rounds by the clock and at every hint, never two at a time, until it is stopped. */
export function daemon({ stations, times, schedule, isForced, signal, visited }: DaemonOptions): Daemon {
  const forced = new Set(isForced ? stations.map(({ name }) => name) : []);
  let hints: Hint[] = [];
  let isAwake = false;
  const poll = async (which: (station: Station, hints: readonly Hint[]) => boolean) => {
    const mine = hints;
    hints = [];
    const concerned = stations.filter((station) => which(station, mine));
    const visits = await round(concerned, { isForced: (route) => forced.has(route), signal, hints: mine });
    for (const { kind, route } of visits) if (kind === 'cycle') forced.delete(route);
    if (visits.length > 0) visited(visits);
  };
  const pollAll = () => {
    isAwake = false;
    return poll(() => true);
  };
  const pollHinted = () => poll((station, mine) => mine.some((hint) => station.isConcerned(hint)));
  const sweepAll = async () => visited(await sweepRound(stations, { isForced: () => false, signal }));
  const failed = (error: unknown) => {
    for (const station of stations) keepFailure(station, 'cycle', error);
    visited(stations.map(({ name }) => ({ kind: 'failed', route: name, ms: 0, error })));
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
    wake() {
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
