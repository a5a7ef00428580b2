import type { StatusMap } from '../model/route.ts';
import { isOpenView, statusView } from '../rules/fields/status.ts';

/**
 * Whether a status can close many bugs at once. A duplicate needs the number of the other bug; a status that the map
 * does not name closes nothing, as GitHub would not show it.
 */
export function judgeClosing(
  map: StatusMap,
  status: string,
  resolution: string,
): 'closes' | 'is-duplicate' | 'closes-nothing' {
  const view = statusView(map, status, resolution);
  if (view === 'duplicate') return 'is-duplicate';
  return view === null || isOpenView(view) ? 'closes-nothing' : 'closes';
}
