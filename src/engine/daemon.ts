import type { Context } from './context.ts';
import { type CycleReport, cycle } from './cycle.ts';

/** One route that can be worked on, once both of its sides have been greeted. */
export interface Station {
  readonly name: string;
  /** Greets both sides the first time, and whenever that has not succeeded yet. Throws `SideError`. */
  context(): Promise<Context>;
}

/** What a visit to a route came to. An error never keeps the other routes from their turn. */
export type Visit =
  | { readonly kind: 'finished'; readonly route: string; readonly report: CycleReport }
  | { readonly kind: 'failed'; readonly route: string; readonly error: unknown };

export interface RoundOptions {
  /** Whether a route may carry out a plan that the brake would refuse. */
  readonly isForced: (route: string) => boolean;
  /** After this no further route is visited. */
  readonly signal: AbortSignal;
}

/** One cycle of every route, one route after the other. */
export async function round(stations: readonly Station[], { isForced, signal }: RoundOptions): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (const station of stations) {
    if (signal.aborted) break;
    visits.push(await visit(station, isForced(station.name)));
  }
  return visits;
}

async function visit(station: Station, isForced: boolean): Promise<Visit> {
  try {
    return { kind: 'finished', route: station.name, report: await cycle(await station.context(), { isForced }) };
  } catch (error) {
    return { kind: 'failed', route: station.name, error };
  }
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
  /** Cron expression of the rounds; the first one begins at once. */
  readonly poll: string;
  readonly schedule: (job: ScheduledJob) => { stop(): Promise<void> };
  /** Lets every route pass the brake once. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly visited: (visits: readonly Visit[]) => void;
}

export interface Daemon {
  /** Begins nothing more; resolves when the round under way has ended. */
  stop(): Promise<void>;
}

/** Rounds by the clock, never two at a time, until it is stopped. */
export function daemon(options: DaemonOptions): Daemon {
  const { stations, signal, visited } = options;
  const forced = new Set(options.isForced ? stations.map(({ name }) => name) : []);
  const once = async () => {
    const visits = await round(stations, { isForced: (route) => forced.has(route), signal });
    for (const { kind, route } of visits) if (kind === 'finished') forced.delete(route);
    visited(visits);
  };
  const inTurn = turns();
  const failed = (error: unknown) => visited(stations.map(({ name }) => ({ kind: 'failed', route: name, error })));
  const poll = options.schedule({ name: 'poll', expression: options.poll, run: () => inTurn(once), failed });
  const first = inTurn(once).catch(failed);
  return {
    async stop() {
      await poll.stop();
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
