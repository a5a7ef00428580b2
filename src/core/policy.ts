import type { Plan, Skip } from '../model/operation.ts';
import type { Direction } from '../model/route.ts';
import type { Side } from '../model/side.ts';

/**
 * A filter over a finished plan: what may be written where.
 *
 *   both        everything
 *   to-github   nothing on the tracker
 *   to-tracker  nothing on GitHub
 */
export function policy(plan: Plan, direction: Direction): Plan {
  if (direction === 'both') return plan;
  const closed: Side = direction === 'to-github' ? 'tracker' : 'github';
  const held = plan.operations.filter((operation) => operation.on === closed && operation.kind !== 'point');
  const skips: Skip[] = held.map(({ link, about }) => ({ link, about, reason: `the route is one-way (${direction})`, needsPerson: false }));
  return { ...plan, operations: plan.operations.filter((operation) => operation.on !== closed), skips: [...plan.skips, ...skips] };
}
