import type { Context } from '../kernel/context.ts';
import { whyNotSelected } from '../links/match.ts';
import { type Named, sameName } from '../links/named.ts';
import type { Item } from '../model/item.ts';
import { type Probe, SideError } from '../model/outcome.ts';

/** A route and its sides, as far as needed to read one item. */
export interface Asked extends Pick<Context, 'route' | 'tracker' | 'github'> {
  readonly name: string;
  /** Logs in to both sides. Throws `SideError`. */
  context(): Promise<unknown>;
}

/** Why a bug or an issue has no link: reads it, and says for every route whether the route would take it. */
export async function whyNoLink(routes: readonly Asked[], target: Named): Promise<readonly string[]> {
  const mine = target.kind === 'bug' ? routes : routes.filter(({ route }) => sameName(`${route.owner}/${route.repo}`, target.repo));
  const [first] = mine;
  if (first === undefined) return [`no route has the repository ${target.kind === 'issue' ? target.repo : ''}`];
  const probe = await probeItem(first, target);
  if (typeof probe === 'string') return [probe];
  if (probe.kind === 'gone') return [probe.gone.why];
  return mine.map(({ name, route }) => {
    const why = whyNotSelected(route, probe.item);
    return why === null ? `route ${name} takes it, and has not seen it yet; the next cycle should` : `route ${name}: ${why}`;
  });
}

async function probeItem(route: Asked, target: Named): Promise<Probe<Item> | string> {
  try {
    await route.context();
    return target.kind === 'bug' ? await route.tracker.probe(target.id) : await route.github.probe(target.number);
  } catch (error) {
    if (error instanceof SideError) return `it is not possible to say now whether a route would take it: ${error.message}`;
    throw error;
  }
}
