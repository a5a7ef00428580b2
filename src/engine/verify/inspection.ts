import { type Forecast, forecast, type Phase, type Tally } from '../../core/verify/forecast.ts';
import { SideError } from '../../model/outcome.ts';
import type { Side } from '../../model/side.ts';
import type { Context } from '../context.ts';
import { pauseInForce } from '../pause.ts';

export type VerifyProgress =
  | ({ readonly kind: 'progress'; readonly route: string } & Forecast)
  | { readonly kind: 'waiting'; readonly route: string; readonly side: Side; readonly until: number; readonly why: string };

/** One comparison under way: what it has read so far, and how it reads on. Nothing is written, neither to a side nor to the state. */
export interface Inspection {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly tell: (progress: VerifyProgress) => void;
  readonly reads: Record<Side, number>;
  readonly tally: { -readonly [P in Phase]: { done: number; total: number | null; reads: number } };
  readonly startedAt: number;
  waitedMs: number;
}

export function inspectionOf(context: Context, { signal, tell }: Pick<Inspection, 'signal' | 'tell'>): Inspection {
  const none = () => ({ done: 0, total: null, reads: 0 });
  return {
    context,
    signal,
    tell,
    reads: { tracker: 0, github: 0 },
    tally: { issues: none(), bugs: none(), again: none(), files: none() },
    startedAt: context.clock.now(),
    waitedMs: 0,
  };
}

/** How often a side may ask to wait without saying until when, and how long that wait is. */
const patienceMax = 5;
const waitMs = 60_000;

/** Reads one side, and again after the pause that it asks for. Throws `SideError` for everything else. */
export async function reading<T>(inspection: Inspection, side: Side, phase: Phase, read: () => Promise<T>): Promise<T> {
  const { clock } = inspection.context;
  for (let attempt = 1; ; attempt += 1) {
    inspection.signal.throwIfAborted();
    const pause = pauseInForce(inspection.context);
    if (pause !== null) await waitFor(inspection, pause.side, pause.until, pause.why);
    inspection.reads[side] += 1;
    inspection.tally[phase].reads += 1;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later' || (error.at === null && attempt >= patienceMax)) throw error;
      await waitFor(inspection, error.side ?? side, error.at ?? clock.now() + waitMs, error.message);
    }
  }
}

export async function waitFor(inspection: Inspection, side: Side, until: number, why: string): Promise<void> {
  const { clock, route } = inspection.context;
  const ms = Math.max(0, until - clock.now());
  inspection.tell({ kind: 'waiting', route: route.name, side, until, why });
  await clock.sleep(ms);
  inspection.waitedMs += ms;
}

export function advance(inspection: Inspection, phase: Phase, count: number): void {
  const { tally, context, startedAt, waitedMs } = inspection;
  tally[phase].done += count;
  const readingMs = context.clock.now() - startedAt - waitedMs;
  const known: Tally = tally;
  inspection.tell({ kind: 'progress', route: context.route.name, ...forecast(phase, known, readingMs) });
}
