import { backoffInForce } from '../kernel/backoff.ts';
import type { Context, RouteState } from '../kernel/context.ts';
import { isFault } from '../kernel/set-aside.ts';
import { faultInWords } from '../model/answers/fault.ts';
import type { Side } from '../model/ids.ts';
import type { Link } from '../model/link.ts';
import { SideError } from '../model/outcome.ts';
import { type Forecast, forecast, type Phase, type Tally } from './forecast.ts';

export type VerifyProgress =
  | ({ readonly kind: 'progress'; readonly route: string } & Forecast)
  | ({ readonly kind: 'waiting'; readonly route: string } & Wait);

export interface Wait {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
  /** True if the side named the time itself; false if it gave no answer and is tried again. */
  readonly isAsked: boolean;
}

/**
 * A running comparison: its progress, and its way to read on. It writes nothing, neither to a side nor to the state.
 */
export interface Inspection {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly tell: (progress: VerifyProgress) => void;
  readonly reads: Record<Side, number>;
  readonly tally: { -readonly [P in Phase]: { done: number; total: number | null; reads: number } };
  /** Bugs and issues on whose comparison bugferry failed, with the reason. */
  readonly unjudged: Map<string, string>;
  /** Those that are set aside because the work on them did not end. */
  readonly endless: ReadonlySet<string>;
  readonly startedAt: number;
  waitedMs: number;
  /** When another task last had its turn. */
  breathedAt: number;
}

export function inspectionOf(context: Context, { signal, tell }: Pick<Inspection, 'signal' | 'tell'>): Inspection {
  const none = () => ({ done: 0, total: null, reads: 0 });
  return {
    context,
    signal,
    tell,
    reads: { tracker: 0, github: 0 },
    tally: { issues: none(), bugs: none(), again: none(), files: none() },
    unjudged: new Map(),
    endless: endlessIn(context),
    startedAt: context.clock.now(),
    waitedMs: 0,
    breathedAt: context.clock.now(),
  };
}

function endlessIn({ store, route }: RouteState): ReadonlySet<string> {
  const rows = store.setAside.ofRoute(route.name).filter(({ cause }) => cause === 'hang');
  return new Set(rows.map(({ side, ref }) => (side === 'tracker' ? `bug ${ref}` : `#${ref}`)));
}

/**
 * Maximum attempts of one read, for any reason, so that a comparison ends: about four minutes, or as many backoffs as a
 * side asks for.
 */
const triesMax = 8;
const firstMs = 2_000;
const longestMs = 60_000;

/**
 * Reads one side, and again after the backoff that it asks for, or a little later if it gave no answer. Throws
 * `SideError` for all other failures.
 */
export async function reading<T>(inspection: Inspection, side: Side, phase: Phase, read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    inspection.signal.throwIfAborted();
    const backoff = backoffInForce(inspection.context);
    if (backoff !== null) await waitFor(inspection, { ...backoff, isAsked: true });
    inspection.reads[side] += 1;
    inspection.tally[phase].reads += 1;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SideError) || error.kind !== 'later') throw error;
      const from = error.side ?? side;
      if (tries >= triesMax)
        throw new SideError('later', `${error.message} (tried ${tries} times)`, { side: from, cause: error });
      await waitFor(inspection, waitAfter(inspection, { side: from, at: error.at, why: error.message }, tries));
    }
  }
}

/**
 * The wait after a failed read.
 * @param failed `at` is when the side wants to be asked again, epoch milliseconds; null if it did not say
 */
export function waitAfter(
  { context: { clock } }: Inspection,
  { side, at, why }: { readonly side: Side; readonly at: number | null; readonly why: string },
  tries: number,
): Wait {
  return {
    side,
    until: at ?? clock.now() + Math.min(longestMs, firstMs * 2 ** (tries - 1)),
    why,
    isAsked: at !== null,
  };
}

export async function waitFor(inspection: Inspection, wait: Wait): Promise<void> {
  const { clock, route } = inspection.context;
  const ms = Math.max(0, wait.until - clock.now());
  inspection.tell({ kind: 'waiting', route: route.name, ...wait });
  await clock.sleep(ms);
  inspection.waitedMs += ms;
}

const breathMs = 200;

/** Long texts take long to read: in between, closed connections and requests to stop must be handled. */
export async function letOthersRun(inspection: Inspection): Promise<void> {
  const { clock } = inspection.context;
  if (clock.now() - inspection.breathedAt < breathMs) return;
  await clock.sleep(0);
  inspection.breathedAt = clock.now();
}

export function tellProgress(inspection: Inspection, phase: Phase, count: number): void {
  const { tally, context, startedAt, waitedMs } = inspection;
  tally[phase].done += count;
  const readingMs = context.clock.now() - startedAt - waitedMs;
  const known: Tally = tally;
  inspection.tell({ kind: 'progress', route: context.route.name, ...forecast(phase, known, readingMs) });
}

export const aboutOf = ({ bug, issue }: Pick<Link, 'bug' | 'issue'>): string => (bug ? `bug ${bug}` : `#${issue ?? 0}`);

/**
 * Judges one pair. A fault of ours costs that pair its verdict and no other: it is named among those that were not
 * compared, and so is a pair that is set aside because the work on it did not end.
 */
export function judgePair<T>(
  inspection: Inspection,
  { bug, issue }: Pick<Link, 'bug' | 'issue'>,
  run: () => T,
): T | null {
  const { context, unjudged, endless } = inspection;
  const { route, watch } = context;
  const [side, ref] = bug === null ? (['github', issue ?? 0] as const) : (['tracker', bug] as const);
  const about = aboutOf({ bug, issue });
  if (endless.has(about)) {
    unjudged.set(about, 'it is set aside, as the work on it did not end');
    return null;
  }
  try {
    return watch.during({ route: route.name, side, ref, stage: 'plan', of: 'link' }, run);
  } catch (error) {
    if (!isFault(context, error)) throw error;
    unjudged.set(about, `bugferry failed on it: ${faultInWords(error)}`);
    return null;
  }
}
