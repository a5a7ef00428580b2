/**
 * The limit of what one cycle waits for slow answers. Whoever makes a side answer slowly about forty items would
 * otherwise keep all others, and withdrawals, waiting for an hour.
 */

import type { LinkId, Side } from '../model/ids.ts';
import type { InTime } from '../model/runtime.ts';
import type { Context } from './context.ts';
import { linkOf } from './linked.ts';

/** How long a request may take that is not slow, and how long a cycle waits for slow ones beyond that. */
const [quickMs, patienceMs] = [5_000, 45_000];

export interface Reading {
  /** How much of that time was used. */
  spentMs: number;
  /** Links of which something is left to the next cycle, each with since when: they are not planned in this one. */
  readonly late: Map<LinkId, number>;
  /** Those that the last cycle had no time for. */
  readonly before: ReadonlyMap<LinkId, number>;
}

/** The context of one cycle, which reads no more than it has time for. */
export function inCycle(context: Context): Context {
  const { lookTurns, route } = context;
  const before = lookTurns.late.get(route.name) ?? new Map();
  const late = new Map<LinkId, number>();
  lookTurns.late.set(route.name, late);
  return { ...context, reading: { spentMs: 0, late, before } };
}

/** For one call, which may always ask once: no other keeps it waiting for ever. Undefined where nothing else waits. */
export function inTimeOf(context: Context, side: Side = 'tracker'): InTime | undefined {
  const { reading, clock } = context;
  if (reading === undefined) return undefined;
  let hasAsked = false;
  return {
    isOut: () => hasAsked && reading.spentMs > patienceMs,
    spentMs: () => reading.spentMs,
    async during(read) {
      const beganAt = clock.now();
      hasAsked = true;
      try {
        return await read();
      } finally {
        reading.spentMs += Math.max(0, clock.now() - beganAt - quickMs);
      }
    },
    late(ref) {
      const link = linkOf(context, side, ref);
      if (link !== null) reading.late.set(link.id, reading.before.get(link.id) ?? clock.now());
    },
  };
}

/** Whether something of the link is read in the next cycle: nobody knows enough of it in this one. */
export const isLate = ({ reading }: Pick<Context, 'reading'>, id: LinkId): boolean => reading?.late.has(id) === true;

/** Those first that have waited longest for their turn. */
export function lateFirst<T>(
  { reading }: Context,
  list: readonly T[],
  idOf: (one: T) => LinkId | undefined,
): readonly T[] {
  if (reading === undefined || reading.before.size === 0) return list;
  const sinceAt = (one: T): number => {
    const id = idOf(one);
    return (id === undefined ? undefined : reading.before.get(id)) ?? Number.MAX_SAFE_INTEGER;
  };
  return list.toSorted((one, other) => sinceAt(one) - sinceAt(other));
}
