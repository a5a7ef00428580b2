import type { Context } from '../kernel/context.ts';
import type { LinkId } from '../model/ids.ts';
import type { Wanting } from '../model/link.ts';

/** The same context, but its cycles plan only some of the links. */
export function only(context: Context, mayPlan: (link: Wanting) => boolean): Context {
  const { links } = context.store;
  function* eachWanting(route: string): Iterable<Wanting> {
    for (const each of links.eachWanting(route)) if (mayPlan(each)) yield each;
  }
  const wanting: typeof links.wanting = (route, limit) => {
    const chosen: LinkId[] = [];
    for (const { id } of eachWanting(route)) {
      if (chosen.length === limit) break;
      chosen.push(id);
    }
    return chosen.flatMap((id) => links.byId(id) ?? []);
  };
  const urgent: typeof links.urgent = (route) => {
    const chosen = new Set([...eachWanting(route)].map(({ id }) => id));
    return links.urgent(route).filter(({ id }) => chosen.has(id));
  };
  return { ...context, store: { ...context.store, links: { ...links, wanting, urgent, eachWanting } } };
}
