import { wayTo } from '../../core/status.ts';
import type { Farewell } from '../../model/farewell.ts';
import type { Bug } from '../../model/item.ts';
import type { Context } from '../context.ts';

/** Whether a bug shows a status between the one that it was closed with and the one that it had, as a taking back leaves it that was cut off. */
export function isOnWayBack({ route, session }: Context, row: Farewell, seen: Bug): boolean {
  const way = row.isDone ? null : wayTo(route.status, session.vocabulary, row.status, row.was);
  return way?.includes(seen.status) ?? false;
}
