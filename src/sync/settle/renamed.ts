/**
 * Repositories, products and components that have another name than the configuration says. A name is no sign that
 * anything moved: the route stops, and says which line to change, before anything is written because of it.
 */

import type { Context } from '../../kernel/context.ts';
import { repoOf } from '../../kernel/linked.ts';
import { eachSpared } from '../../kernel/set-aside.ts';
import { rereadGithub } from '../../kernel/unread.ts';
import type { BugId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import { sameName } from '../../model/named.ts';
import { Halted, SideError } from '../../model/outcome.ts';
import type { Route, Vocabulary } from '../../model/route.ts';
import type { RepositorySurvey } from '../../model/survey.ts';
import { isMoved } from '../../rules/plan/moves.ts';
import { observeItem } from '../observe/observe-items.ts';
import { letGo } from '../observe/went-back.ts';

type Asked = Pick<Context, 'store' | 'route' | 'tracker'>;

/** How many bugs of a route say what has become of its product. */
const askedMax = 20;

/** What the configuration names and the tracker does not have, in words for the operator. Throws `SideError`. */
export async function unknownNames(context: Asked, { components: known }: Vocabulary): Promise<readonly string[]> {
  const { route } = context;
  const { product, components } = route.selection;
  if (known === undefined) return [];
  if (known === null) return [await productInWords(context)];
  return lackedOf(route, known).map((name) => {
    const key = components?.includes(name) === true ? 'tracker' : 'create';
    const lacks = `product ${product} has no component "${name}"; it has ${known.join(', ')}`;
    return `${lacks}. Correct "component" under "${key}" of route ${route.name}.`;
  });
}

/** Whether the configuration names a product or a component that the tracker does not have. */
export const lacksNames = ({ route }: Pick<Asked, 'route'>, { components: known }: Vocabulary): boolean =>
  known === null || (known !== undefined && lackedOf(route, known).length > 0);

/** The components that the route names, and the product does not have. */
function lackedOf({ selection: { components }, direction, create }: Route, known: readonly string[]): string[] {
  const filed = direction === 'to-github' ? [] : [create.component];
  return [...new Set([...(components ?? []), ...filed].filter((name) => !known.includes(name)))];
}

/** @throws SideError */
export async function refuseUnknownNames(context: Asked, vocabulary: Vocabulary): Promise<void> {
  const lines = await unknownNames(context, vocabulary);
  if (lines.length > 0) throw new SideError('refused', lines.join(' '), { side: 'tracker' });
}

async function productInWords(context: Asked): Promise<string> {
  const { name, selection } = context.route;
  const now = await productNow(context);
  const lacks = `our account sees no product "${selection.product}"`;
  return now === null
    ? `${lacks}; check its spelling under "tracker" of route ${name}, and the rights of the account.`
    : `${lacks}, and its bugs are in "${now}" now: if it was renamed, write "product: ${now}" under "tracker" of route ${name}.`;
}

/** The product of the bugs of the route, if they are public; null if there are none, or they have several. */
async function productNow({ store, route, tracker }: Asked): Promise<string | null> {
  const asked: BugId[] = [];
  for (const links of store.links.batches(route.name)) {
    const mirrored = links.filter(({ state, movedTo }) => state === 'live' && movedTo === null);
    asked.push(...mirrored.flatMap(({ bug }) => bug ?? []));
    if (asked.length >= askedMax) break;
  }
  const bugs = await tracker.bugs(asked.slice(0, askedMax));
  const [now, ...others] = new Set(bugs.flatMap(({ isPrivate, product }) => (isPrivate ? [] : product)));
  return now === undefined || others.length > 0 ? null : now;
}

/**
 * Makes sure of bugs that seem to have moved: the product of the route must still exist, and the bugs are read once
 * more, as the known product may be the one that the configuration named before. Throws `Halted` without a product.
 */
export async function confirmMoves(context: Context, links: readonly Link[]): Promise<void> {
  const { route, store, tracker, lookTurns } = context;
  const fresh = links.flatMap(({ id }) => store.links.byId(id) ?? []);
  const isNew = (link: Link): boolean =>
    link.state === 'live' && isMoved(route, link) && link.movedTo !== link.tracker?.product;
  const moved = eachSpared(context, fresh, (link) => (isNew(link) ? [link] : []));
  if (moved.length === 0 && !fresh.some(({ id }) => lookTurns.moved.has(id))) return;
  if ((await tracker.hasProduct()) === false) throw new Halted(await productInWords(context), 'tracker');
  const bugs = await tracker.bugs(moved.flatMap(({ bug }) => bug ?? []));
  store.transaction(() => {
    for (const bug of bugs) observeItem(context, bug, 'live');
  });
}

type Placed = Pick<Context, 'store' | 'route' | 'github'>;
type Following = Pick<Context, 'store' | 'route' | 'github' | 'clock'>;

interface Other {
  readonly why: string;
  /** Whether the repository of the pairs does not exist any more, and this one was made anew under its name. */
  readonly isAnew: boolean;
}

/**
 * The name of a repository by its number; null if it is gone. Who answers nothing about numbers does not know that.
 * Throws `SideError`.
 */
async function nameOf({ route, github }: Placed, id: number): Promise<string | null> {
  const name = await github.nameOf(id);
  if (name !== null) return name;
  const own = await github.idOf(repoOf({ route }));
  if (own !== null && (await github.nameOf(own)) !== null) return null;
  const why = `GitHub tells no repository by its number, so that of the pairs of route ${route.name} cannot be looked for`;
  throw new SideError('later', `${why}. They wait, and once --force lets go of none.`, { side: 'github' });
}

/** What the repository of the configuration is instead of that of the pairs; null if it is that. Throws `SideError`. */
async function otherRepository(context: Placed, id: number | null): Promise<Other | null> {
  const { store, route, github } = context;
  const own = repoOf(context);
  const known = store.cursors.get(route.name, 'github')?.repository ?? null;
  for (const other of store.links.repos(route.name)) {
    const isSame = sameName(other, own);
    if (isSame && known === null) continue;
    const was = known ?? (await github.idOf(other));
    if (was !== null && was === (id ?? (await github.idOf(own)))) continue;
    const named = known === null ? null : await nameOf(context, known);
    const now = named ?? other;
    const isAnew = isSame && named === null;
    const way = isAnew
      ? 'The former one is gone, or our account does not see it any more: then correct its rights. ' +
        'To let go of the pairs whose issues are gone, run bugferry once --force: their bugs stay as they are, and are not mirrored any more.'
      : `Write "repo: ${now}" under "github" of the route. To mirror the bugs anew, give ${own} a bridge of its own, with another state and instance.`;
    const why =
      `route ${route.name} has pairs with issues of ${now}, and ${own} is another repository` +
      `${isSame ? ', which got its name' : ''}. ${way}`;
    return { why, isAnew };
  }
  return null;
}

/**
 * Why the repository of the configuration is not that of the pairs; null if it is. GitHub's number of it decides, as
 * its name may have been given to another one. Throws `SideError`.
 * @param id its number, if that was asked already
 */
export const whyAnotherRepository = async (context: Placed, id: number | null = null): Promise<string | null> =>
  (await otherRepository(context, id))?.why ?? null;

/**
 * The pairs of a repository with a new name stay pairs: GitHub keeps its number, and answers to the old name. Throws
 * `Halted` if the configuration names a repository that is another one.
 * @param letsGo whether a person lets go of the pairs of a repository that is gone
 */
export async function followRepository(context: Following, id: number | null, letsGo: boolean): Promise<void> {
  const other = await otherRepository(context, id);
  if (other !== null && !(letsGo && other.isAnew)) throw new Halted(other.why, 'github');
  if (other !== null) letGoOfAll(context);
  const { store, route } = context;
  const others = store.links.repos(route.name).filter((each) => each !== repoOf(context));
  if (others.length === 0) return;
  store.transaction(() => {
    for (const each of others) store.links.renameRepo(route.name, each, repoOf(context));
    rereadGithub(context);
  });
}

/** All issues of the route are gone, and their numbers free. */
function letGoOfAll(context: Following): void {
  const { store, route } = context;
  store.transaction(() => {
    const links = [...store.links.batches(route.name)].flat().filter(({ issue }) => issue !== null);
    for (const link of links) letGo(context, link, 'github');
    rereadGithub(context);
  });
}

/** Keeps which repository it is, and who reads it, once something of it was read. */
export function rememberRepository(
  { store, route }: Pick<Placed, 'store' | 'route'>,
  { id, isPrivate }: Pick<RepositorySurvey, 'id' | 'isPrivate'>,
): void {
  const row = store.cursors.get(route.name, 'github');
  if (row === null) return;
  const now = { ...row, ...(id === null ? {} : { repository: id }), ...(isPrivate === null ? {} : { isPrivate }) };
  if (now.repository !== row.repository || now.isPrivate !== row.isPrivate)
    store.cursors.put(route.name, 'github', now);
}
