/** The progress of a comparison in its current phase, and the remaining time. */
export interface Forecast {
  readonly phase: Phase;
  readonly done: number;
  /** Null until it is known. */
  readonly total: number | null;
  /** Milliseconds; null until there is enough data. */
  readonly leftMs: number | null;
}

/**
 *   issues  everything on GitHub, page by page
 *   bugs    everything on the tracker, compared immediately
 *   again   pairs with differences, and items missing from the lists, one by one
 *   files   contents of files
 */
export const phases = ['issues', 'bugs', 'again', 'files'] as const;
export type Phase = (typeof phases)[number];

/** Progress so far: items and requests for them, by phase. */
export type Tally = Readonly<
  Record<Phase, { readonly done: number; readonly total: number | null; readonly reads: number }>
>;

/** Requests per item, before there is a measurement. */
const usually: Readonly<Record<Phase, number>> = { issues: 0.01, bugs: 0.045, again: 5, files: 2 };
/** With fewer requests than this, the pace is unreliable. */
const readsMin = 5;

/**
 * The remaining time, from the remaining requests and the pace of the previous ones. Pauses that a side asked for do
 * not count.
 */
export function forecast(phase: Phase, tally: Tally, readingMs: number): Forecast {
  const { done, total } = tally[phase];
  const readsDone = phases.reduce((sum, each) => sum + tally[each].reads, 0);
  const later = phases.slice(phases.indexOf(phase));
  const readsLeft = later.reduce((sum, each) => sum + readsLeftIn(each, tally), 0);
  const leftMs = readsDone < readsMin || total === null ? null : Math.round((readsLeft * readingMs) / readsDone);
  return { phase, done, total, leftMs };
}

function readsLeftIn(phase: Phase, tally: Tally): number {
  const { done, total, reads } = tally[phase];
  const left = Math.max(0, (total ?? 0) - done);
  return left * (done > 0 && reads > 0 ? reads / done : usually[phase]);
}
