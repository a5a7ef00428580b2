import type { Roster } from '../model/reports/roster.ts';
import { type Appearance, appearancesIn, rosterOf } from '../rules/people/roster.ts';
import { isRedacted } from '../rules/privacy/redact.ts';
import type { View } from './view.ts';

/**
 * Everyone whom the state knows from something public, with the counterparts that the configuration names. Asks neither
 * side.
 */
export function rosterIn(view: View): Roster {
  const [first] = view.routes;
  return rosterOf(first?.people ?? { github: new Map(), tracker: new Map(), nobody: [] }, sightings(view));
}

function* sightings({ store, routes }: View): Iterable<Appearance> {
  for (const route of routes) {
    for (const links of store.links.batches(route.name)) {
      for (const link of links)
        if (!isRedacted(route, link)) yield* appearancesIn(link, store.commentLinks.ofLink(link.id));
    }
  }
}
