import { risesAfter } from '../model/duration.ts';
import { type Side, sides } from '../model/ids.ts';
import { type NotApplied, SideError } from '../model/outcome.ts';
import type { Operation } from '../model/plan/operation.ts';
import type { OutboxRow } from '../model/plan/outbox.ts';
import type { Cost } from '../model/runtime.ts';
import type { Store } from '../model/store.ts';
import { backoffAfter } from '../rules/limits/backoff.ts';
import { type Allowance, allowedAt } from '../rules/limits/brake-and-budget.ts';
import { keptShare, type Room } from '../rules/limits/shares.ts';
import { costOf } from '../rules/operations/operations.ts';
import type { Context } from './context.ts';
import { allowancesNow } from './creation-rate.ts';

/** How long a side asks us to send nothing. The state keeps it, so it survives a restart. */
export interface SideBackoff {
  readonly side: Side;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
}

/** The backoff that keeps a route from running: the longer one if both sides ask for one, null if neither does. */
export function backoffInForce({ store, clock }: Pick<Context, 'store' | 'clock'>): SideBackoff | null {
  const now = clock.now();
  const backoffs = sides.flatMap((side): SideBackoff[] => {
    const backoff = store.budgets.backoffOf(side, now);
    return backoff === null ? [] : [{ side, ...backoff }];
  });
  return backoffs.sort((one, other) => other.until - one.until)[0] ?? null;
}

type BackingOff = Pick<Context, 'store' | 'clock' | 'tell'> & { readonly name: string };

/** The backoff for a side that does not say how long. */
const defaultBackoffMs = 60_000;

interface Asked {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly why: string;
  /** Whether the side asks at one write again and again. */
  readonly isOfOne?: boolean;
}

/** Sends nothing to a side until then, or for longer if the side asks repeatedly, and not at one write alone. */
function backOff({ name, store, clock, tell }: BackingOff, side: Side, { until: asked, why, isOfOne }: Asked): void {
  const grown = backoffAfter(store.budgets.lastBackoff(side), asked, clock.now());
  const until = isOfOne ? asked : grown.until;
  store.budgets.backOff(side, until, why, { askedUntil: asked, times: grown.times });
  tell({ kind: 'backoff', route: name, side, until, why });
}

/** Backs off from the whole side if the outcome of a write asks for that. */
export function backOffIfAsked(runner: BackingOff, side: Side, outcome: NotApplied, isOfOne = false): void {
  const until = pauseIn(outcome, runner.clock.now());
  if (until !== null && 'why' in outcome) backOff(runner, side, { until, why: outcome.why, isOfOne });
}

/** Until when the side asks us to send nothing. */
function pauseIn(outcome: NotApplied, now: number): number | null {
  if (outcome.kind === 'later' && outcome.wholeSide) return outcome.at ?? now + defaultBackoffMs;
  return outcome.kind === 'unknown' ? (outcome.at ?? null) : null;
}

/**
 * Whether the side asks for a pause at this operation alone: it did before, and since then either took others or got
 * no other. Several pauses in a row have to say so first, or the same words twice.
 */
export function isAskedAtOne(
  context: Pick<Context, 'store'>,
  { waitingSince, why }: OutboxRow,
  outcome: NotApplied,
  on: Side,
): boolean {
  const last = context.store.budgets.lastBackoff(on);
  const isSame = 'why' in outcome && last?.why === outcome.why;
  const isKnown = isSame || waitingSince !== null || (why !== null && (last?.times ?? 0) > 1);
  return isKnown && (isSame || hasTakenSince(context, on) || last?.why === why);
}

/** Whether the side has taken a write since it last asked for a pause. */
export const hasTakenSince = ({ store }: Pick<Context, 'store'>, side: Side): boolean =>
  (store.budgets.lastBackoff(side)?.times ?? 0) === 0;

/**
 * Resets the count of backoffs after a write, unless the side still asks for one: that request left before the backoff
 * began, and says nothing about the time after it.
 */
export function endBackoff(context: Pick<Context, 'store' | 'clock'>, side: Side): void {
  if (!isAskedToWait(context, side)) context.store.budgets.calm(side);
}

/**
 * Whether the side itself still asks us to wait. What we add to a repeated backoff is our own caution, and withdrawals
 * do not wait for that.
 */
export function isAskedToWait({ store, clock }: Pick<Context, 'store' | 'clock'>, side: Side): boolean {
  const now = clock.now();
  return (store.budgets.backoffOf(side, now)?.askedUntil ?? 0) > now;
}

/** Backs off from the side that put a read off until a certain time, or from both if the error names no side. */
export function keepBackoff(runner: BackingOff, error: unknown): void {
  if (!(error instanceof SideError) || error.kind !== 'later' || error.at === null) return;
  for (const side of error.side === null ? sides : [error.side])
    backOff(runner, side, { until: error.at, why: error.message });
}

/** How many links are drained at a time. Each link has one writer; the lanes limit the rate of writes to a side. */
export const writers = 4;

/**
 * When an operation may be performed, and why not now; null when it may. A backoff or a used-up allowance holds it
 * until a later cycle, in which live changes come first again.
 */
export const heldUntil = (context: Context, operation: Operation): Held | null =>
  heldFor(context, operation.on, costOf(operation));

interface Held {
  readonly at: number;
  readonly why: string;
}

/** The same for a request that is no operation. */
export function heldFor(context: Context, on: Side, cost: Cost): Held | null {
  const { store, clock, allowances, route, writesUntil = Number.POSITIVE_INFINITY } = context;
  const now = clock.now();
  if (now >= writesUntil) return { at: now + 1, why: 'a cycle writes for a minute, and the next one goes on' };
  if (isPaused(context, route.name)) return { at: now + 1, why: 'a person has paused the route' };
  const backoff = store.budgets.backoffOf(on, now);
  if (backoff !== null) return { at: backoff.until, why: backoff.why };
  if (cost !== 'create') return null;
  const limits = allowancesNow(store, on, allowances[on], now);
  if (limits.every(({ windowMs, pointsMax }) => store.budgets.isBelow(on, 'create', now, windowMs, pointsMax)))
    return null;
  const longestMs = Math.max(0, ...limits.map(({ windowMs }) => windowMs));
  const { at, name } = allowedAt(store.budgets.since(on, ['create'], now - longestMs), limits, 1, now);
  if (at <= now) return null;
  // A rate that rises meanwhile lets it go earlier.
  return { at: mayStillRise(limits) ? Math.min(at, now + longestMs * risesAfter) : at, why: `the ${name} are used up` };
}

const mayStillRise = (limits: readonly Allowance[]): boolean =>
  limits.some(({ pointsMax, risesTo = pointsMax }) => risesTo > pointsMax);

/** What may be created on a side now; null without a limit. */
export function roomToCreate({ store, clock, allowances }: Context, on: Side): Room | null {
  const now = clock.now();
  const limits = allowancesNow(store, on, allowances[on], now).toSorted((one, other) => one.windowMs - other.windowMs);
  const left = limits.map(({ windowMs, pointsMax }) => pointsMax - store.budgets.within(on, 'create', now, windowMs));
  const [longest, limit] = [left.at(-1), limits.at(-1)];
  if (longest === undefined || limit === undefined) return null;
  // A rate rises once it is used in full, so nothing of one that may rise is kept back.
  return { now: Math.min(...left), longest, kept: mayStillRise(limits) ? 0 : limit.pointsMax * keptShare };
}

/**
 * Whether a person has paused the route. A command that arrived in the middle of a cycle counts, so that a pause does
 * not wait for the end of the cycle.
 */
export const isPaused = ({ store, controlQueue }: Pick<Context, 'store' | 'controlQueue'>, route: string): boolean =>
  store.pauses.of(route) !== null || (controlQueue?.of(route) ?? []).some(({ command }) => command.kind === 'pause');

/**
 * Makes a stop look like a backoff of both sides: queued operations keep waiting in their order, and nothing is left
 * half done.
 */
export function heldWhile(store: Store, isStopping: () => boolean): Store {
  const backoffOf: Store['budgets']['backoffOf'] = (side, now) =>
    isStopping()
      ? { until: now + 1, askedUntil: now + 1, why: 'the bridge is stopping' }
      : store.budgets.backoffOf(side, now);
  return { ...store, budgets: { ...store.budgets, backoffOf } };
}

/** How far before its request an item may be stamped, as clocks differ. */
export const marginMs = 120_000;

/** The earliest stamp by the clock of a side, in epoch milliseconds, of what was sent then by ours. */
export function stampedFrom({ store, route }: Pick<Context, 'store' | 'route'>, side: Side, sentAt: number): number {
  const { readAt = 0, polledAt = 0 } = store.cursors.get(route.name, side) ?? {};
  return Math.max(0, sentAt + readAt - polledAt - marginMs);
}

/**
 * From when a thread has to be read to find a comment written at this time; null, that is from its beginning, if the
 * time is unknown.
 */
export const sinceBefore = (at: number): number | null => (at === 0 ? null : at - marginMs);

/** How far a secondary database may lag from which a tracker answers lists and threads. */
export const graceMs = 60_000;
