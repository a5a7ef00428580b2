import type { FieldName, Fields } from '../model/fields.ts';
import type { Base } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { equalValues } from './canonical.ts';
import { type Merged, type MergeRules, merge } from './merge.ts';

/**
 * A merge in which what the tracker refused to take from a label is not wished again: there its own value holds, and the label is put
 * right. A route that does not write to GitHub leaves the label, and the wish.
 * @param refused what was last asked of the tracker for this link, and refused field by field
 */
export function mergeUnrefused(
  route: Route,
  refused: Fields,
  { base, tracker, github }: { readonly base: Base | null; readonly tracker: Fields; readonly github: Fields },
  rules: MergeRules,
): { readonly merged: Merged; readonly refused: readonly FieldName[] } {
  const merged = merge(base, tracker, github, rules);
  const names = route.labels.map(({ from }) => from).filter((name) => isAsked(merged, refused, name));
  if (names.length === 0 || route.direction !== 'both') return { merged, refused: [] };
  const isTrackers: MergeRules['isTrackers'] = (field, value) => names.some((name) => name === field) || rules.isTrackers(field, value);
  return { merged: merge(base, tracker, github, { ...rules, isTrackers }), refused: names };
}

function isAsked({ write }: Merged, refused: Fields, name: FieldName): boolean {
  const wished = write.tracker[name];
  return wished !== undefined && refused[name] !== undefined && equalValues(wished, refused[name]);
}
