import { upstreamOf } from '../fields/one-way.ts';
import type { Operation, Plan, Skip } from '../model/operation.ts';
import type { Direction } from '../model/route.ts';

/**
 * Filters a finished plan by the direction of its route. It lets through:
 *
 *   both        everything
 *   to-github   nothing on the tracker
 *   to-tracker  nothing on GitHub
 *
 * The merge plans no field changes upstream; this filter holds back counterparts, comments, files and pointers.
 */
export function policy(plan: Plan, direction: Direction): Plan {
  const closed = upstreamOf(direction);
  if (closed === null) return plan;
  // Without its counterpart, nothing else of a link can be written either, not even the line that names it.
  const oneEnded = new Set(plan.operations.filter(({ on, kind }) => on === closed && kind === 'create').map(({ link }) => link));
  const isHeld = ({ on, link }: Operation) => on === closed || oneEnded.has(link);
  const held = plan.operations.filter((operation) => isHeld(operation) && operation.kind !== 'point');
  const skips: Skip[] = held.map(({ link, about }) => ({ link, about, reason: `the route is one-way (${direction})`, needsPerson: false }));
  return { ...plan, operations: plan.operations.filter((operation) => !isHeld(operation)), skips: [...plan.skips, ...skips] };
}
