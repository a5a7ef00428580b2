import type { Operation } from '../model/operation.ts';
import { byKind, type PerKind } from '../model/per-kind.ts';
import type { Cost } from '../model/runtime.ts';
import type { Spent } from '../model/store.ts';

/** How much may be spent within a sliding window. */
export interface Allowance {
  readonly windowMs: number;
  readonly pointsMax: number;
  /** Its name in messages: "creations an hour". */
  readonly name: string;
}

/** When `points` may be spent under all allowances: now, or once enough has left each window. */
export function allowedAt(
  spent: readonly Spent[],
  allowances: readonly Allowance[],
  points: number,
  now: number,
): { at: number; name: string | null } {
  let latest: { at: number; name: string | null } = { at: now, name: null };
  for (const { windowMs, pointsMax, name } of allowances) {
    const at = freeAt(spent, windowMs, pointsMax - points, now);
    if (at > latest.at) latest = { at, name };
  }
  return latest;
}

/** When no more than `room` points remain in the window. Spent points leave it after `windowMs`. */
function freeAt(spent: readonly Spent[], windowMs: number, room: number, now: number): number {
  const inside = spent.filter(({ at }) => at > now - windowMs).sort((one, other) => one.at - other.at);
  let total = inside.reduce((sum, { points }) => sum + points, 0);
  if (total <= room) return now;
  for (const { at, points } of inside) {
    total -= points;
    if (total <= room) return at + windowMs;
  }
  return now + windowMs;
}

/** What an operation costs its side. */
export const costOf = (operation: Operation): Cost => byKind(costs, operation);

const creation = (): Cost => 'create';
const edit = (): Cost => 'edit';

const costs: PerKind<Cost> = {
  create: creation,
  comment: creation,
  remark: creation,
  file: ({ act }) => (act === 'attach' ? 'create' : 'edit'),
  update: edit,
  rewrite: edit,
  erase: edit,
  minimize: edit,
  point: edit,
  lock: edit,
};
