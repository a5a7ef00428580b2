import { pauseAfter } from '../core/backoff.ts';
import { type NotApplied, SideError } from '../model/outcome.ts';
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

type Pausing = Pick<Context, 'store' | 'clock' | 'tell'> & { readonly name: string };

/** How long a side is left alone that asks for a pause without saying for how long. */
const pauseMs = 60_000;

/** Leaves a side alone until then, or for longer where it asks again and again. */
export function pause({ name, store, clock, tell }: Pausing, side: Side, askedUntil: number, why: string): void {
  const { until, times } = pauseAfter(store.budgets.lastPause(side), askedUntil, clock.now());
  store.budgets.pause(side, until, why, times);
  tell({ kind: 'paused', route: name, side, until, why });
}

/** What came of a write may ask for a pause of the whole side. */
export function pauseIfAsked(pausing: Pausing, side: Side, outcome: NotApplied): void {
  if (outcome.kind === 'later' && outcome.wholeSide) pause(pausing, side, outcome.at ?? pausing.clock.now() + pauseMs, outcome.why);
  if (outcome.kind === 'unknown' && outcome.at !== undefined) pause(pausing, side, outcome.at, outcome.why);
}

/** A write was done. What is answered within a pause left before it, and says nothing about the time after it. */
export function calm({ store, clock }: Pick<Context, 'store' | 'clock'>, side: Side): void {
  if (store.budgets.pauseOf(side, clock.now()) === null) store.budgets.calm(side);
}

/** A read that was put off to a certain time pauses its side until then, or both when it does not tell which it was. */
export function keepPause(station: Pausing, error: unknown): void {
  if (!(error instanceof SideError) || error.kind !== 'later' || error.at === null) return;
  for (const side of error.side === null ? sides : [error.side]) pause(station, side, error.at, error.message);
}
