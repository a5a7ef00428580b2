/** How far a comparison has come in its present phase, and how long the rest will take. */
export interface Forecast {
  readonly phase: Phase;
  readonly done: number;
  /** Null while nobody can know. */
  readonly total: number | null;
  /** Milliseconds; null until enough was read to tell. */
  readonly leftMs: number | null;
}

/**
 *   issues  everything on GitHub, page by page
 *   bugs    everything on the tracker, compared as it comes
 *   again   what differed, and what the lists did not show, one by one
 *   files   contents of files
 */
export const phases = ['issues', 'bugs', 'again', 'files'] as const;
export type Phase = (typeof phases)[number];

/** What was read so far: things and requests for them, by phase. */
export type Tally = Readonly<Record<Phase, { readonly done: number; readonly total: number | null; readonly reads: number }>>;

/** Readings that one thing takes, before there is a measure. */
const usually: Readonly<Record<Phase, number>> = { issues: 0.01, bugs: 0.045, again: 5, files: 2 };
/** Before this many readings, the pace says little. */
const readsMin = 5;

/**
 * The time that is left, by the readings that are still to be done and the pace of those before. Waiting that a side asked for does
 * not count as pace.
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
