import { type FieldName, fieldNames } from '../../model/item.ts';
import type { PastChange } from '../../model/receipt.ts';
import { wholeSecond } from './installation/times.ts';
import type { TrackerState } from './world/state.ts';

/** What was changed of a bug in this second or later. */
export function pastChanges(state: TrackerState, ref: number, sinceAt: number): readonly PastChange[] {
  const rows = (state.history.get(ref) ?? []).filter(({ at }) => at >= wholeSecond(sinceAt));
  return rows.map(({ at, who, field }) => ({ ref, at, login: who, what: whatOf(field) }));
}

const otherNames: Readonly<Record<string, FieldName | 'seeAlso'>> = {
  summary: 'title',
  resolution: 'status',
  assigned_to: 'assignee',
  target_milestone: 'milestone',
  depends_on: 'dependsOn',
  see_also: 'seeAlso',
};

function whatOf(name: string): readonly (FieldName | 'seeAlso')[] {
  const named = otherNames[name] ?? fieldNames.find((field) => field === name);
  if (named !== undefined) return [named];
  return isCustom(name) ? [name] : [];
}

const isCustom = (name: string): name is `cf_${string}` => name.startsWith('cf_');
