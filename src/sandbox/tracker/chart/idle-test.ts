import { localTime } from '../installation/times.ts';
import type { Scope } from '../search/scope.ts';
import type { TrackerBug } from '../world/state.ts';
import { chartTime } from './date.ts';
import { invalidPair } from './field.ts';

/**
 * How long a bug's assignee has neither commented nor changed anything, anywhere: `greaterthan 30d` finds bugs whose
 * assignee was idle for longer. Other operators are refused (32000).
 */
export function idleTest({ state }: Scope, operator: string, text: string): (bug: TrackerBug) => boolean {
  if (!/^(?:greater|less)than(?:eq)?$/.test(operator)) throw invalidPair('owner_idle_time', operator);
  const since = chartTime(text, state.now(), state.timeZone);
  const busy = new Set([
    ...[...state.comments.values()]
      .flat()
      .flatMap(({ at, creator }) => (localTime(at, state.timeZone) > since ? [creator] : [])),
    ...[...state.history.values()]
      .flat()
      .flatMap(({ at, who }) => (localTime(at, state.timeZone) > since ? [who] : [])),
  ]);
  return (bug) => busy.has(bug.assigned_to) !== operator.startsWith('greater');
}
