import { flagsIn } from '../attachments/flags.ts';
import { missingRight, requireRight } from '../installation/rights.ts';
import { notEnterable, notSpecified } from '../server/errors.ts';
import { type Request, textOf } from '../server/request.ts';
import type { Product } from '../world/state.ts';
import { refuseLeaving } from './change-lists.ts';
import type { Draft, Edit } from './draft.ts';
import { componentOf, defaultMilestone, isAlwaysTaken, milestoneOf, productFor, versionOf } from './field-values.ts';

/**
 * Product, component, version and milestone of an update; returns the product of the bug after it. A bug that moves
 * needs a component, a version and a milestone of its new product; the old ones only count if they exist there (51),
 * which is asked before rights are. A user who may not change the milestone gets the new product's first one. The bug
 * leaves groups and loses flags that the new product does not know and enters its mandatory ones.
 */
export function moveBug(edit: Edit, bug: Draft, request: Request): Product {
  const product = wantedProduct(edit, bug, textOf(request, 'product'));
  const hasMoved = product.name !== bug.product;
  const component = textOf(request, 'component') ?? (hasMoved ? bug.component : undefined);
  const version = textOf(request, 'version') ?? (hasMoved ? bug.version : undefined);
  const values = {
    product: product.name,
    component: component === undefined ? bug.component : componentOf(product, component).name,
    version: version === undefined ? bug.version : versionOf(product, version),
  };
  for (const field of ['product', 'component', 'version'] as const) set(edit, bug, field, values[field]);
  changeMilestone(edit, bug, product, textOf(request, 'target_milestone'), hasMoved);
  const groups = hasMoved ? groupsIn(edit, product, bug.groups) : bug.groups;
  if (bug.groups.some((group) => !groups.includes(group))) refuseLeaving(edit);
  bug.groups = groups;
  if (hasMoved) bug.flags = flagsIn(product.name, bug.flags);
  return product;
}

function wantedProduct({ state, user }: Edit, bug: Draft, name: string | undefined): Product {
  if (name?.trim() === '') throw notSpecified('product');
  const isSame = name === undefined || name.trim().toLowerCase() === bug.product.toLowerCase();
  const product = isSame
    ? state.products.find((candidate) => candidate.name === bug.product)
    : productFor(state, user, name);
  if (product === undefined || product === null) throw notEnterable(name ?? bug.product);
  return product;
}

function changeMilestone(
  edit: Edit,
  bug: Draft,
  product: Product,
  wanted: string | undefined,
  hasMoved: boolean,
): void {
  const change = { field: 'target_milestone', removed: bug.target_milestone, added: wanted ?? bug.target_milestone };
  if (hasMoved && missingRight(edit, bug, change) !== null) bug.target_milestone = defaultMilestone(product);
  else if (hasMoved || wanted !== undefined) set(edit, bug, 'target_milestone', milestoneOf(product, change.added));
}

function set(
  edit: Edit,
  bug: Draft,
  field: 'product' | 'component' | 'version' | 'target_milestone',
  value: string,
): void {
  requireRight(edit, bug, { field, removed: bug[field], added: value });
  bug[field] = value;
}

function groupsIn(
  { state }: Edit,
  { optionalGroups, mandatoryGroups }: Product,
  groups: readonly string[],
): readonly string[] {
  const own = [...optionalGroups, ...mandatoryGroups];
  const kept = groups.filter((group) => own.includes(group) || isAlwaysTaken(state, group));
  return [...new Set([...kept, ...mandatoryGroups])].toSorted();
}
