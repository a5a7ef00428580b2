import { type Side, sides } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import { type NotApplied, SideError } from '../model/outcome.ts';
import type { Store } from '../model/store.ts';
import { pauseAfter } from './backoff.ts';
import { allowedAt, costOf } from './budget.ts';
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
function pause({ name, store, clock, tell }: Pausing, side: Side, askedUntil: number, why: string): void {
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
export function keepPause(runner: Pausing, error: unknown): void {
  if (!(error instanceof SideError) || error.kind !== 'later' || error.at === null) return;
  for (const side of error.side === null ? sides : [error.side]) pause(runner, side, error.at, error.message);
}

/** How many links are worked on at a time. Each link has one writer; the lanes decide how fast a side is written to. */
export const writers = 4;

/**
 * When an operation may be done, and why not now; null when it may. A pause or a used-up allowance holds it until a later cycle, in
 * which live changes come first again.
 */
export function heldUntil(
  { store, clock, allowances }: Context,
  operation: Operation,
): { readonly at: number; readonly why: string } | null {
  const now = clock.now();
  const pause = store.budgets.pauseOf(operation.on, now);
  if (pause !== null) return { at: pause.until, why: pause.why };
  if (costOf(operation) !== 'create') return null;
  const limits = allowances[operation.on];
  const longestMs = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const { at, name } = allowedAt(store.budgets.since(operation.on, ['create'], now - longestMs), limits, 1, now);
  return at > now ? { at, why: `the ${name} are used up` } : null;
}

/** Stopping looks like a pause of both sides: what waits goes on waiting, in the order it has, and nothing is half done. */
export function heldWhenStopped(store: Store, signal: AbortSignal): Store {
  const pauseOf: Store['budgets']['pauseOf'] = (side, now) =>
    signal.aborted ? { until: now + 1, why: 'the bridge is stopping' } : store.budgets.pauseOf(side, now);
  return { ...store, budgets: { ...store.budgets, pauseOf } };
}

/** How far before a request what it made may be stamped: clocks differ. */
export const marginMs = 120_000;

/** From when on a thread is read to find a comment that was written at this time; from its beginning where the time is not known. */
export const sinceBefore = (at: number): number | null => (at === 0 ? null : at - marginMs);

/** How far a tracker's copy of its database may lag behind, from which it answers lists and threads. */
export const graceMs = 60_000;
