import { type Side, sides } from '../model/ids.ts';
import { type NotApplied, SideError } from '../model/outcome.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { Cost } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { pauseAfter } from '../rules/limits/backoff.ts';
import { allowedAt } from '../rules/limits/brake-and-budget.ts';
import { costOf } from '../rules/operations/operations.ts';
import type { Context } from './context.ts';
import { allowancesNow } from './creation-rate.ts';

/** A pause that a side has asked for. It is kept in the state, so it survives a restart. */
export interface Paused {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
}

/** The pause that keeps a route from running, the longer one of two; null when neither side asks for one. */
export function pauseInForce({ store, clock }: Pick<Context, 'store' | 'clock'>): Paused | null {
  const now = clock.now();
  const pauses = sides.flatMap((side): Paused[] => {
    const pause = store.budgets.pauseOf(side, now);
    return pause === null ? [] : [{ side, ...pause }];
  });
  return pauses.sort((one, other) => other.until - one.until)[0] ?? null;
}

type Pausing = Pick<Context, 'store' | 'clock' | 'tell'> & { readonly name: string };

/** The pause for a side that does not say how long. */
const pauseMs = 60_000;

/** Pauses a side until then, or for longer if it asks repeatedly. */
function pause({ name, store, clock, tell }: Pausing, side: Side, askedUntil: number, why: string): void {
  const { until, times } = pauseAfter(store.budgets.lastPause(side), askedUntil, clock.now());
  store.budgets.pause(side, until, why, { askedUntil, times });
  tell({ kind: 'paused', route: name, side, until, why });
}

/** Pauses the whole side if the outcome of a write asks for that. */
export function pauseIfAsked(pausing: Pausing, side: Side, outcome: NotApplied): void {
  if (outcome.kind === 'later' && outcome.wholeSide)
    pause(pausing, side, outcome.at ?? pausing.clock.now() + pauseMs, outcome.why);
  if (outcome.kind === 'unknown' && outcome.at !== undefined) pause(pausing, side, outcome.at, outcome.why);
}

/**
 * Resets the count of pauses after a write. Not as long as the side asked for: that request left before the pause
 * began, and says nothing about the time after it.
 */
export function calm(context: Pick<Context, 'store' | 'clock'>, side: Side): void {
  if (!isAskedToWait(context, side)) context.store.budgets.calm(side);
}

/**
 * Whether the side itself wants to be left alone now. The rest of a pause is our own caution, for which no withdrawal
 * waits.
 */
export function isAskedToWait({ store, clock }: Pick<Context, 'store' | 'clock'>, side: Side): boolean {
  const now = clock.now();
  return (store.budgets.pauseOf(side, now)?.askedUntil ?? 0) > now;
}

/** Pauses the side of a read that was put off until a certain time, or both sides if the error does not name one. */
export function keepPause(runner: Pausing, error: unknown): void {
  if (!(error instanceof SideError) || error.kind !== 'later' || error.at === null) return;
  for (const side of error.side === null ? sides : [error.side]) pause(runner, side, error.at, error.message);
}

/** How many links are drained at a time. Each link has one writer; the lanes limit the rate of writes to a side. */
export const writers = 4;

/**
 * When an operation may be performed, and why not now; null when it may. A pause or a used-up allowance holds it until
 * a later cycle, in which live changes come first again.
 */
export const heldUntil = (context: Context, operation: Operation): Held | null =>
  heldFor(context, operation.on, costOf(operation));

interface Held {
  readonly at: number;
  readonly why: string;
}

/** The same for a request that is no operation. */
export function heldFor(context: Context, on: Side, cost: Cost): Held | null {
  const { store, clock, allowances, route } = context;
  const now = clock.now();
  if (isResting(context, route.name)) return { at: now + 1, why: 'a person has paused the route' };
  const pause = store.budgets.pauseOf(on, now);
  if (pause !== null) return { at: pause.until, why: pause.why };
  if (cost !== 'create') return null;
  const limits = allowancesNow(store, on, allowances[on], now);
  const longestMs = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const { at, name } = allowedAt(store.budgets.since(on, ['create'], now - longestMs), limits, 1, now);
  return at > now ? { at, why: `the ${name} are used up` } : null;
}

/**
 * Whether a person has paused the route. Also what was asked for in the middle of a cycle counts, so that a pause does
 * not wait for its end.
 */
export const isResting = ({ store, controlQueue }: Pick<Context, 'store' | 'controlQueue'>, route: string): boolean =>
  store.rests.of(route) !== null || (controlQueue?.of(route) ?? []).some(({ command }) => command.kind === 'pause');

/**
 * Makes a stop look like a pause of both sides: queued operations keep waiting in their order, and nothing is left half
 * done.
 */
export function heldWhile(store: Store, isStopping: () => boolean): Store {
  const pauseOf: Store['budgets']['pauseOf'] = (side, now) =>
    isStopping()
      ? { until: now + 1, askedUntil: now + 1, why: 'the bridge is stopping' }
      : store.budgets.pauseOf(side, now);
  return { ...store, budgets: { ...store.budgets, pauseOf } };
}

/** How far before its request an item may be stamped, as clocks differ. */
export const marginMs = 120_000;

/**
 * From when a thread has to be read to find a comment written at this time; null, that is from its beginning, if the
 * time is unknown.
 */
export const sinceBefore = (at: number): number | null => (at === 0 ? null : at - marginMs);

/** How far a secondary database may lag from which a tracker answers lists and threads. */
export const graceMs = 60_000;
