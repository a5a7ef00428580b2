import type { Store } from '../model/store.ts';

/** Stopping looks like a pause of both sides: what waits goes on waiting, in the order it has, and nothing is half done. */
export function heldWhenStopped(store: Store, signal: AbortSignal): Store {
  const pauseOf: Store['budgets']['pauseOf'] = (side, now) =>
    signal.aborted ? { until: now + 1, why: 'the bridge is stopping' } : store.budgets.pauseOf(side, now);
  return { ...store, budgets: { ...store.budgets, pauseOf } };
}
