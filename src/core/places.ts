import type { LabelRule, Route } from '../model/route.ts';

/** Where a route shows each field of its rules on GitHub, in words that are compared and shown to nobody. */
export const placesOf = ({ labels }: Pick<Route, 'labels'>): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map((rule) => [rule.from, placeOf(rule)]));

const placeOf = ({ as, field, isType }: LabelRule): string =>
  field !== undefined ? `field ${field}` : `${isType ? 'type' : 'label'} ${as.toLowerCase()}`;
