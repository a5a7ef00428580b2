import type { Draft, Edit } from './edit.ts';
import { aliasOf, groupOf, groupRefused, keywordsOf } from './fields.ts';
import { type ListChange, listChangeOf, type Request } from './request.ts';
import type { Product } from './state.ts';
import { isIn, userNamed } from './users.ts';

/** A plain text is the same as setting the whole list. */
export function changeAlias(edit: Edit, bug: Draft, request: Request): void {
  const value = request['alias'];
  const plain = typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : null;
  const change = plain === null ? listChangeOf(request, 'alias') : { add: [], remove: [], set: plain.filter((alias) => alias !== '') };
  if (change === undefined) return;
  const check = (alias: string): string => aliasOf(edit.state, bug.id, alias);
  bug.alias = applied(bug.alias, { ...change, add: change.add.map(check), set: change.set?.map(check) ?? null });
}

/** `set` has no effect here, unlike on the other lists. */
export function changeCc(edit: Edit, bug: Draft, request: Request): void {
  const change = listChangeOf(request, 'cc');
  if (change === undefined) return;
  const login = (name: string): string => userNamed(edit.state, name).login;
  bug.cc = applied(bug.cc, { add: change.add.map(login), remove: change.remove.map(login), set: null });
}

export function changeKeywords(edit: Edit, bug: Draft, request: Request): void {
  const change = listChangeOf(request, 'keywords');
  if (change === undefined) return;
  const known = (names: readonly string[]): readonly string[] => keywordsOf(edit.state, names);
  const set = change.set === null ? null : known(change.set);
  bug.keywords = applied(bug.keywords, { add: known(change.add), remove: known(change.remove), set }).toSorted();
}

/** Only members may restrict an existing bug to a group, and only they may open it again. */
export function changeGroups(edit: Edit, bug: Draft, product: Product, request: Request): void {
  const change = listChangeOf(request, 'groups');
  if (change === undefined) return;
  for (const name of [...change.add, ...change.remove]) if (!isIn(edit.user, name)) throw groupRefused(product, bug.id, name);
  const add = change.add.map((name) => groupOf(product, bug.id, name));
  const remove = change.remove.filter((name) => !product.mandatoryGroups.includes(name));
  bug.groups = applied(bug.groups, { add, remove, set: null }).toSorted();
}

function applied(list: readonly string[], change: ListChange): readonly string[] {
  if (change.set !== null) return [...new Set(change.set)];
  return [...new Set([...list.filter((element) => !change.remove.includes(element)), ...change.add])];
}
