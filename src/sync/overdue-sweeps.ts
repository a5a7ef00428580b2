import type { Context } from '../kernel/context.ts';
import { sides } from '../model/ids.ts';

/** After how many further cycles a full comparison that failed is tried again: an hour, if one comes each minute. */
const cyclesBetween = 60;

/**
 * The routes whose full comparison is overdue: its moment passed while the daemon was down, a pause held it back, or it
 * failed.
 */
interface OverdueSweeps {
  add(routes: readonly string[]): void;
  /** The routes to be compared now, of those that have just had a cycle. */
  after(cycles: readonly string[]): readonly string[];
  /** Takes note of what became of full comparisons. */
  settle(runs: readonly { readonly kind: string; readonly route: string }[]): void;
}

export function overdueSweeps(): OverdueSweeps {
  /** How many cycles each of them still waits. */
  const waits = new Map<string, number>();
  return {
    add(routes) {
      for (const route of routes) waits.set(route, 0);
    },
    after(cycles) {
      const waiting = cycles.filter((route) => waits.has(route));
      for (const route of waiting) waits.set(route, (waits.get(route) ?? 0) - 1);
      return waiting.filter((route) => (waits.get(route) ?? 0) < 0);
    },
    settle(runs) {
      for (const { kind, route } of runs) {
        if (kind === 'sweep' || kind === 'paused') waits.delete(route);
        if (kind === 'failed') waits.set(route, cyclesBetween);
      }
    },
  };
}

type Owner = Pick<Context, 'store'> & { readonly name: string };

/**
 * Whether a full comparison was due while no daemon ran. A route that is still being read for the first time has
 * nothing to compare.
 */
export function isSweepMissed({ name, store }: Owner, hasPassedSince: (at: number) => boolean): boolean {
  const rows = sides.map((side) => store.cursors.get(name, side));
  if (!rows.every((row) => row?.isComplete)) return false;
  return rows.some((row) => row === null || row.sweptAt === null || hasPassedSince(row.sweptAt));
}
