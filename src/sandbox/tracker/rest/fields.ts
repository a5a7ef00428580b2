import type { Shape } from '../bugs/bugs.ts';
import { type FieldChoice, pickFields, pickParts } from '../installation/field-choice.ts';
import { fieldShapes, internalName } from '../installation/field-shape.ts';
import { compareMilestones, namesOf, versionsOf } from '../installation/product-parts.ts';
import { maySeeProduct } from '../installation/users.ts';
import type { Call } from '../server/call.ts';
import { noSuch, TrackerError } from '../server/errors.ts';
import type { Product } from '../world/state.ts';

/** GET /rest/field/bug and /rest/field/bug/NAME, by internal name or id. */
export function fields({ state, viewer, query, fields: choice, name }: Call): unknown {
  const all = fieldShapes(state, viewer);
  const isId = /^\d+$/.test(name);
  const ids = [...(isId ? [name] : []), ...query.getAll('ids')];
  const names = [...(name === '' || isId ? [] : [name]), ...query.getAll('names')];
  const byId = ids.map((id) => all.find((field) => String(field['id']) === id) ?? refuse(noField(id)));
  const byName = names.map((one) => all.find((field) => field['name'] === one) ?? refuse(noSuch('field', one)));
  const found = ids.length + names.length === 0 ? all : [...new Set([...byId, ...byName])];
  return { fields: found.map((field) => pickFields(choice, { ...field, ...valuesShape(choice, field) })) };
}

/**
 * GET /rest/field/bug/NAME/values and /rest/field/bug/NAME/PRODUCT/values, the names alone. Interface names work, too.
 */
export function fieldValues({ state, viewer, name, product: productId, query }: Call): unknown {
  const wanted = internalName(name);
  const list = productLists.get(wanted);
  if (list !== undefined) {
    const id = productId || (query.get('product_id') ?? '');
    const what = 'The function Bug.legal_values requires a product_id argument, and that argument was not set.';
    if (id === '') throw new TrackerError(50, 400, what);
    const product = state.products.find((candidate) => String(candidate.id) === id);
    if (product !== undefined && maySeeProduct(viewer, product)) return { values: list(product) };
    throw new TrackerError(
      106,
      401,
      `Either the product with the id ${id} does not exist or you don't have access to it.`,
    );
  }
  const field = fieldShapes(state, viewer).find((candidate) => candidate['name'] === wanted);
  const isChoice =
    field !== undefined && [2, 3].includes(Number(field['type'])) && !['classification', 'product'].includes(wanted);
  if (!isChoice) throw new TrackerError(108, 400, `Can't use ${name} as a field name.`);
  const values = Array.isArray(field['values']) ? field['values'] : [];
  return { values: values.map((value: Shape) => value['name']).filter((value) => value !== null) };
}

const productLists: ReadonlyMap<string, (product: Product) => readonly string[]> = new Map([
  ['version', (product: Product) => namesOf(versionsOf(product))],
  ['target_milestone', ({ milestones }: Product) => namesOf(milestones.toSorted(compareMilestones))],
  ['component', ({ components }: Product) => namesOf(components).toSorted()],
]);

/** The values of a field with their wanted parts; a field that is no choice has none. */
function valuesShape(choice: FieldChoice, { values }: Shape): Shape {
  return Array.isArray(values) ? { values: values.map((value: Shape) => pickParts(choice, 'values', value)) } : {};
}

const noField = (id: string): TrackerError => new TrackerError(51, 404, `There is no field with the id '${id}'.`);

function refuse(error: TrackerError): never {
  throw error;
}
