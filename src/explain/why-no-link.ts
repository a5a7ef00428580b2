import type { Context } from '../kernel/context.ts';
import type { Item } from '../model/item.ts';
import { type Named, sameName } from '../model/named.ts';
import { type Gone, type Probe, SideError } from '../model/outcome.ts';
import { whyNotSelected } from '../rules/links/match.ts';
import { setAsideInWords } from './set-aside.ts';
import { timeInWords } from './words.ts';

/** The parts of a route that are needed to read one item. */
export interface Asked extends Pick<Context, 'route' | 'store' | 'tracker' | 'github'> {
  readonly name: string;
  /** Logs in to both sides. Throws `SideError`. */
  context(): Promise<unknown>;
}

/** Why a bug or an issue has no link. Reads the item, and says for every route whether it would mirror it. */
export async function whyNoLink(routes: readonly Asked[], target: Named): Promise<readonly string[]> {
  const mine =
    target.kind === 'bug'
      ? routes
      : routes.filter(({ route }) => sameName(`${route.owner}/${route.repo}`, target.repo));
  const [first] = mine;
  if (first === undefined) return [`no route has the repository ${target.kind === 'issue' ? target.repo : ''}`];
  const aside = mine.flatMap(({ name, store }) => {
    const row =
      target.kind === 'bug'
        ? store.setAside.get(name, 'tracker', target.id)
        : store.setAside.get(name, 'github', target.number);
    return row === null
      ? []
      : [`route ${name} has set it aside since ${timeInWords(row.sinceAt)}: ${setAsideInWords(row)}`];
  });
  if (aside.length > 0) return aside;
  const probe = await probeItem(first, target);
  if (typeof probe === 'string') return [probe];
  if (probe.kind === 'gone') return [goneInWords(target, probe.gone)];
  return mine.map(({ name, route }) => {
    const why = whyNotSelected(route, probe.item);
    return why === null
      ? `route ${name} takes it, and has not seen it yet; the next cycle should`
      : `route ${name}: ${why}`;
  });
}

/** It is no failure if the bridge may not see the bug. */
const goneInWords = ({ kind }: Named, gone: Gone): string =>
  kind === 'bug' && gone.kind === 'hidden'
    ? `it is hidden from the account of the bridge, as private bugs should be; bugferry mirrors nothing of it (${gone.why})`
    : gone.why;

async function probeItem(route: Asked, target: Named): Promise<Probe<Item> | string> {
  try {
    await route.context();
    return target.kind === 'bug' ? await route.tracker.probe(target.id) : await route.github.probe(target.number);
  } catch (error) {
    if (error instanceof SideError) return `bugferry cannot say now whether a route would take it: ${error.message}`;
    throw error;
  }
}
