import { requireRight } from '../installation/rights.ts';
import { isIn, userNamed } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { internalFailure, TrackerError } from '../server/errors.ts';
import { guesses } from '../server/guesses.ts';
import { type ListChange, listChangeOf, type Request } from '../server/request.ts';
import type { Product } from '../world/state.ts';
import type { Draft, Edit } from './draft.ts';
import { aliasOf, groupRefused, isAlwaysTaken, keywordsOf } from './field-values.ts';

/** A plain text or list sets the whole list. `set` overrides `add` and `remove`. */
export function changeAlias(edit: Edit, bug: Draft, request: Request): void {
  const value = request['alias'];
  if (way(edit.state, 'aliases') === 'one') {
    changeOnlyAlias(edit, bug, value);
    return;
  }
  const isPlain = typeof value === 'string' || typeof value === 'number' || Array.isArray(value);
  const plain = Array.isArray(value) ? value : [value];
  const change = listChangeOf(isPlain ? { alias: { set: plain } } : request, 'alias');
  if (change === undefined) return;
  const add = change.set === null ? change.add : change.set.filter((alias) => !bug.alias.includes(alias));
  const remove = change.set === null ? change.remove : bug.alias.filter((alias) => !change.set?.includes(alias));
  const after = without([...bug.alias, ...add.flatMap((text) => addedAlias(edit, bug, text))], remove);
  requireRight(edit, bug, { field: 'alias', removed: bug.alias.join(', '), added: after.join(', ') });
  bug.alias = after;
}

/** The server checks each word of an alias, and takes the first. */
function addedAlias(edit: Edit, bug: Draft, text: string): readonly string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.map((word) => aliasOf(edit.state, bug.id, word)).slice(0, 1);
}

/**
 * Harmony uses what it is given as the name of a bug, and fails on anything but a text. An empty text takes the alias
 * away.
 */
function changeOnlyAlias(edit: Edit, bug: Draft, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) throw internalFailure('Not a HASH reference');
  if (typeof value === 'object')
    throw new TrackerError(68000, 400, 'Bad argument param sent to Bugzilla::Bug::new function.');
  const alias = String(value).trim();
  const after = alias === '' ? [] : [aliasOf(edit.state, bug.id, alias)];
  requireRight(edit, bug, { field: 'alias', removed: bug.alias.join(', '), added: after.join(', ') });
  bug.alias = after;
}

/** `set` has no effect here, unlike for the other lists. Everyone may add people to the list and remove themselves. */
export function changeCc(edit: Edit, bug: Draft, request: Request): void {
  const change = listChangeOf(request, 'cc');
  if (change === undefined) return;
  const login = (name: string): string => userNamed(edit.state, name).login;
  const remove = change.remove.map(login);
  const { user } = edit;
  const isOwner = isIn(user, 'editbugs') || [bug.creator, bug.assigned_to, bug.qa_contact].includes(user.login);
  if (!isOwner && remove.some((name) => name !== user.login)) {
    throw new TrackerError(32000, 400, guesses.ccRefused, bug.id);
  }
  bug.cc = without([...bug.cc, ...change.add.map(login)], remove);
}

export function changeKeywords(edit: Edit, bug: Draft, request: Request): void {
  const change = listChangeOf(request, 'keywords');
  if (change === undefined) return;
  const known = (names: readonly string[]): readonly string[] => keywordsOf(edit.state, names);
  const [add, remove] = [known(change.add), known(change.remove)];
  const after = change.set === null ? without([...bug.keywords, ...add], remove) : without(known(change.set), []);
  const sorted = after.toSorted();
  requireRight(edit, bug, { field: 'keywords', removed: bug.keywords.join(', '), added: sorted.join(', ') });
  bug.keywords = sorted;
}

/**
 * Only members may restrict an existing bug to a group or remove it from there; others may while the bug moves to
 * another product. Mandatory groups of the product stay.
 */
export function changeGroups(edit: Edit, bug: Draft, product: Product, request: Request): void {
  const change: ListChange | undefined = listChangeOf(request, 'groups');
  if (change === undefined) return;
  const hasMoved = edit.state.bugs.get(bug.id)?.product !== bug.product;
  const mayUse = (name: string): boolean => hasMoved || isIn(edit.user, name);
  for (const name of change.add.filter((group) => !bug.groups.includes(group))) {
    const isKnown = product.optionalGroups.includes(name) || product.mandatoryGroups.includes(name);
    if (!mayAlwaysAdd(edit, bug, name) && (!isKnown || !mayUse(name))) throw groupRefused(product, bug.id, name);
    bug.groups = [...bug.groups, name].toSorted();
  }
  for (const name of change.remove) {
    const isStuck = product.mandatoryGroups.includes(name) || (product.optionalGroups.includes(name) && !mayUse(name));
    if (!bug.groups.includes(name) || isStuck) throw removalRefused(product, bug.id, name);
    refuseLeaving(edit);
    bug.groups = bug.groups.filter((group) => group !== name);
  }
}

/** On harmony, the reporter and editors may always hide a bug from those who are no insiders. */
const mayAlwaysAdd = ({ state, user }: Edit, bug: Draft, group: string): boolean =>
  isAlwaysTaken(state, group) && (bug.creator === user.login || isIn(user, 'editbugs'));

/** Harmony fails when a bug leaves a group, unless it has the extension that it then asks. */
export function refuseLeaving({ state }: Edit): void {
  if (!way(state, 'leavesGroups') && !state.hasGroupExtension) throw internalFailure(guesses.noExtension);
}

function removalRefused(product: Product, bug: number, name: string): TrackerError {
  const why = `either this group does not exist, or you are not allowed to remove bugs from this group in the '${product.name}' product`;
  return new TrackerError(120, 401, `You tried to remove bug ${bug} from the '${name}' group, but ${why}.`, bug);
}

/** Each element once, without the removed ones, even if they were just added. */
const without = (list: readonly string[], remove: readonly string[]): readonly string[] => [
  ...new Set(list.filter((element) => !remove.includes(element))),
];
