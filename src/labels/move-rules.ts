import type { Context } from '../kernel/context.ts';
import type { LabelRule, Route } from '../model/route.ts';

/** The place on GitHub where a route shows each field of its rules; only compared, never displayed. */
const placesOf = ({ labels }: Pick<Route, 'labels'>): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map((rule) => [rule.from, placeOf(rule)]));

const placeOf = ({ as, field, isType }: LabelRule): string =>
  field !== undefined ? `field ${field}` : `${isType ? 'type' : 'label'} ${as.toLowerCase()}`;

/**
 * Detects rules that show their field in another place than before. The base was read in the old place: compared with the new one,
 * which is empty at first, it would look as if people had removed everything. So the base is dropped, both sides start from first
 * contact, and every pair is planned again.
 */
export function moveRules({ store, route }: Pick<Context, 'store' | 'route'>): void {
  const places = placesOf(route);
  const known = store.places.ofRoute(route.name);
  const moved = Object.keys({ ...known, ...places }).filter((field) => known[field]?.name !== places[field]);
  if (moved.length === 0) return;
  const now = Object.entries(places).map(([field, name]) => {
    const before = known[field];
    return [field, before?.name === name ? before : { name, fieldId: null }] as const;
  });
  store.transaction(() => {
    store.places.save(route.name, Object.fromEntries(now));
    // A route without known places has nothing to forget.
    if (Object.keys(known).length === 0) return;
    store.links.forget(route.name, moved);
    if (moved.some((field) => Object.hasOwn(places, field))) store.links.markDirty(route.name);
  });
}
