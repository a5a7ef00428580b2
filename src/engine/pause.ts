import { SideError } from '../model/outcome.ts';
import { type Side, sides } from '../model/side.ts';
import type { Context } from './context.ts';

/** A pause that a side has asked for. It is kept in the state, so a new start keeps to it too. */
export interface Paused {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
}

/** The pause that keeps a route from being visited, the longer one of two; null when both sides may be asked. */
export function pauseInForce({ store, clock }: Pick<Context, 'store' | 'clock'>): Paused | null {
  const now = clock.now();
  const pauses = sides.flatMap((side): Paused[] => {
    const pause = store.budgets.pauseOf(side, now);
    return pause === null ? [] : [{ side, ...pause }];
  });
  return pauses.sort((one, other) => other.until - one.until)[0] ?? null;
}

type Pausing = Pick<Context, 'store' | 'tell'> & { readonly name: string };

export function pause({ name, store, tell }: Pausing, side: Side, until: number, why: string): void {
  store.budgets.pause(side, until, why);
  tell({ kind: 'paused', route: name, side, until, why });
}

/** A read that was put off to a certain time pauses its side until then, or both when it does not tell which it was. */
export function keepPause(station: Pausing, error: unknown): void {
  if (!(error instanceof SideError) || error.kind !== 'later' || error.at === null) return;
  for (const side of error.side === null ? sides : [error.side]) pause(station, side, error.at, error.message);
}
