import type { CreateValues, FurtherValues, Route } from '../model/route.ts';
import type { CreationField } from '../model/survey.ts';

/** What the bridge says of every new bug by itself. */
const alwaysSaid: ReadonlySet<string> = new Set(['product', 'summary', 'description']);

type Filing = Pick<Route, 'create' | 'createFurther' | 'selection'>;

/** What a route says of a new bug, by the names of the tracker's interface. */
export const saidOfNewBugs = ({ create, createFurther, selection: { product } }: Filing): CreateValues & FurtherValues => ({
  product,
  ...create,
  ...createFurther,
});

/** The fields without which the tracker refuses the bugs of a route, as far as the route has to say them. */
export function wantedOfNewBugs(fields: readonly CreationField[], said: FurtherValues): readonly CreationField[] {
  return fields.filter(({ name, isMandatory, shownWhere }) => {
    if (!isMandatory || alwaysSaid.has(name)) return false;
    return shownWhere === null || [said[shownWhere.field] ?? []].flat().some((value) => shownWhere.values.includes(value));
  });
}
