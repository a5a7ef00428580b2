import type { Context } from './context.ts';
import { type CycleReport, cycle } from './cycle.ts';
import { keepPause, type Paused, pauseInForce } from './pause.ts';
import { type SweepReport, sweep } from './sweep.ts';

/** One route that can be worked on, once both of its sides have been greeted. */
export interface Station extends Pick<Context, 'store' | 'clock' | 'tell'> {
  readonly name: string;
  /** Greets both sides the first time, and whenever that has not succeeded yet. Throws `SideError`. */
  context(): Promise<Context>;
  /** The next context asks both sides again what was learnt from them. */
  renew(): void;
}

/**
 * What a visit to a route came to. An error never keeps the other routes from their turn. A route of which a side has asked for a
 * pause is not visited while it lasts: who goes on asking may be shut out for good.
 */
export type Visit =
  | { readonly kind: 'cycle'; readonly route: string; readonly report: CycleReport }
  | { readonly kind: 'sweep'; readonly route: string; readonly report: SweepReport }
  | ({ readonly kind: 'paused'; readonly route: string } & Paused)
  | { readonly kind: 'failed'; readonly route: string; readonly error: unknown };

export interface RoundOptions {
  /** Whether a route may carry out what the brake would refuse. */
  readonly isForced: (route: string) => boolean;
  /** After this no further route is visited. */
  readonly signal: AbortSignal;
}

/** One cycle of every route, one route after the other. */
export function round(stations: readonly Station[], options: RoundOptions): Promise<readonly Visit[]> {
  return visitAll(stations, options, async (station, isForced) => {
    const report = await cycle(await station.context(), { isForced });
    return { kind: 'cycle', route: station.name, report };
  });
}

/** One sweep of every route. What was learnt from the sides, such as the values the tracker knows, is learnt afresh. */
export function sweepRound(stations: readonly Station[], options: RoundOptions): Promise<readonly Visit[]> {
  return visitAll(stations, options, async (station, isForced) => {
    station.renew();
    const report = await sweep(await station.context(), { isForced });
    return { kind: 'sweep', route: station.name, report };
  });
}

async function visitAll(
  stations: readonly Station[],
  { isForced, signal }: RoundOptions,
  work: (station: Station, isForced: boolean) => Promise<Visit>,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (const station of stations) {
    if (signal.aborted) break;
    const route = station.name;
    const paused = pauseInForce(station);
    const failed = (error: unknown): Visit => {
      keepPause(station, error);
      return { kind: 'failed', route, error };
    };
    visits.push(paused === null ? await work(station, isForced(route)).catch(failed) : { kind: 'paused', route, ...paused });
  }
  return visits;
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
  /** Begins nothing more; resolves when the round under way has ended. */
  stop(): Promise<void>;
}

/** Rounds by the clock, never two at a time, until it is stopped. */
export function daemon({ stations, times, schedule, isForced, signal, visited }: DaemonOptions): Daemon {
  const forced = new Set(isForced ? stations.map(({ name }) => name) : []);
  const poll = async () => {
    const visits = await round(stations, { isForced: (route) => forced.has(route), signal });
    for (const { kind, route } of visits) if (kind === 'cycle') forced.delete(route);
    visited(visits);
  };
  const sweepAll = async () => visited(await sweepRound(stations, { isForced: () => false, signal }));
  const failed = (error: unknown) => visited(stations.map(({ name }) => ({ kind: 'failed', route: name, error })));
  const inTurn = turns();
  const first = inTurn(poll).catch(failed);
  const jobs = [
    schedule({ name: 'poll', expression: times.poll, run: () => inTurn(poll), failed }),
    schedule({ name: 'sweep', expression: times.sweep, run: () => inTurn(sweepAll), failed }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      await first;
    },
  };
}

/** Runs pieces of work one after the other. */
function turns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
