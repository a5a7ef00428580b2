import type { Context } from '../kernel/context.ts';
import type { Item } from '../model/item.ts';
import { type Named, sameName } from '../model/named.ts';
import { type Gone, isUnknownNumber, type Probe, SideError } from '../model/outcome.ts';
import { whyNotSelected } from '../rules/links/match.ts';
import { adviceOn, asideInWords } from './set-aside.ts';

/** The parts of a route that are needed to read one item. */
export interface Asked extends Pick<Context, 'route' | 'store' | 'tracker' | 'github'> {
  readonly name: string;
  /** Logs in to both sides. Throws `SideError`. */
  context(): Promise<unknown>;
}

interface Absence {
  readonly reasons: readonly string[];
  /** Whether a side shows the item. */
  readonly isFound: boolean;
}

/** Why a bug or an issue has no link. Reads the item, and says for every route whether it would mirror it. */
export async function whyNoLink(routes: readonly Asked[], target: Named): Promise<Absence> {
  const mine =
    target.kind === 'bug'
      ? routes
      : routes.filter(({ route }) => sameName(`${route.owner}/${route.repo}`, target.repo));
  const [first] = mine;
  if (first === undefined)
    return absent(
      `no route has the repository ${target.kind === 'issue' ? target.repo : ''}; bugferry status lists them`,
    );
  const aside = mine.flatMap(({ name, store, route }) => {
    const row =
      target.kind === 'bug'
        ? store.setAside.get(name, 'tracker', target.id)
        : store.setAside.get(name, 'github', target.number);
    return row === null ? [] : [`route ${name}: ${asideInWords({ ...row, advice: adviceOn(route, row) })}`];
  });
  if (aside.length > 0) return { reasons: aside, isFound: true };
  const probe = await probeItem(first, target);
  if (typeof probe === 'string') return absent(probe);
  // A private bug is there for those who may see it.
  if (probe.kind === 'gone')
    return { reasons: [goneInWords(target, probe.gone)], isFound: probe.gone.kind === 'hidden' };
  const reasons = mine.map(({ name, route }) => {
    const why = whyNotSelected(route, probe.item);
    return why === null
      ? `route ${name} takes it, and has not seen it yet; the next cycle should`
      : `route ${name}: ${why}`;
  });
  return { reasons, isFound: true };
}

const absent = (reason: string): Absence => ({ reasons: [reason], isFound: false });

/** A private bug that the bridge may not see is as it should be. The address of the interface helps nobody. */
function goneInWords({ kind, about }: Named, gone: Gone): string {
  if (kind === 'bug' && gone.kind === 'hidden')
    return 'it is hidden from the account of the bridge, as private bugs should be; bugferry mirrors nothing of it';
  if (isUnknownNumber(gone))
    return `${kind === 'bug' ? 'the tracker' : 'GitHub'} has no ${about.replace(/^Bug/u, 'bug')}; check the number`;
  return gone.why;
}

async function probeItem(route: Asked, target: Named): Promise<Probe<Item> | string> {
  try {
    await route.context();
    return target.kind === 'bug' ? await route.tracker.probe(target.id) : await route.github.probe(target.number);
  } catch (error) {
    if (error instanceof SideError) return `bugferry cannot say now whether a route would take it: ${error.message}`;
    throw error;
  }
}
