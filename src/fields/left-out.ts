import { isLabelRule } from '../labels/labels.ts';
import type { FieldName, Fields } from '../model/item.ts';
import type { Carried } from '../model/operation.ts';
import type { Route } from '../model/route.ts';
import { isSet } from '../text/canonical.ts';

/** Fields that GitHub may leave out of an issue that it makes all the same: whom it does not know, and what is not offered there. */
export const leavable = ({ labels }: Pick<Route, 'labels'>): readonly FieldName[] => [
  ...labels.filter((rule) => !isLabelRule(rule)).map(({ from }) => from),
  'assignee',
  'milestone',
];

/**
 * What the making of an issue expressed, when its answer was lost: of what GitHub may leave out, as much as shows. What counts as written
 * and does not show would be somebody's edit, and travel to the tracker.
 * @param shown the fields as they were seen since
 */
export function withoutLeftOut<C extends Carried>(route: Route, carried: C, shown: Fields): C {
  const expressed = (fields: Fields): Fields => {
    const commentLinks = Object.entries(fields).flatMap(([name, value]) => {
      const found = shown[name as FieldName];
      if (found === undefined || !leavable(route).some((each) => each === name)) return [[name, value] as const];
      if (isSet(value)) return [[name, value.filter((element) => isSet(found) && found.includes(element))] as const];
      return value !== null && found === null ? [] : [[name, value] as const];
    });
    return Object.fromEntries(commentLinks);
  };
  return { ...carried, target: expressed(carried.target), source: expressed(carried.source) };
}
