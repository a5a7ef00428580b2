import type { FieldName, Fields } from '../../model/item.ts';
import type { Carried } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import { isSet } from '../../text/canonical.ts';
import { isLabelRule } from '../labels/labels-and-fields.ts';
import { lapsing } from './traits.ts';

/**
 * Fields that GitHub may leave out of a new issue without refusing it: unknown assignees, and options that are not
 * offered.
 */
export const leavable = ({ labels }: Pick<Route, 'labels'>): readonly FieldName[] => [
  ...labels.filter((rule) => !isLabelRule(rule)).map(({ from }) => from),
  ...lapsing,
];

/**
 * The values that a new issue was created with, if the answer was lost. Fields that GitHub may leave out count only as
 * far as they show: a value that counts as written and does not show would look like an edit, and travel to the
 * tracker.
 * @param shown the fields as last seen
 */
export function withoutLeftOut<C extends Carried>(route: Route, carried: C, shown: Fields): C {
  const expressed = (fields: Fields): Fields => {
    const present = Object.entries(fields).flatMap(([name, value]) => {
      const found = shown[name as FieldName];
      if (found === undefined || !leavable(route).some((each) => each === name)) return [[name, value] as const];
      if (isSet(value)) return [[name, value.filter((element) => isSet(found) && found.includes(element))] as const];
      return value !== null && found === null ? [] : [[name, value] as const];
    });
    return Object.fromEntries(present);
  };
  return { ...carried, target: expressed(carried.target), source: expressed(carried.source) };
}
