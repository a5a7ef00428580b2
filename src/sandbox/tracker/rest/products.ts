import type { Shape } from '../bugs/bugs.ts';
import { defaultMilestone } from '../bugs/field-values.ts';
import { type FieldChoice, pickFields, pickParts } from '../installation/field-choice.ts';
import { compareMilestones, versionsOf } from '../installation/product-parts.ts';
import { maySeeProduct, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { Call } from '../server/call.ts';
import { TrackerError } from '../server/errors.ts';
import type { Part, Product, TrackerState } from '../world/state.ts';
import { componentFlagTypes } from './flag-types.ts';

/** GET /rest/product/NAME and ?names=...&ids=...&type=...; unknown or hidden ones are left out without an error. */
export function products({ state, viewer, query, fields: choice, name }: Call): unknown {
  const names = [...(name === '' || /^\d+$/.test(name) ? [] : [name]), ...query.getAll('names')].map((one) =>
    one.toLowerCase(),
  );
  const ids = [...(/^\d+$/.test(name) ? [name] : []), ...query.getAll('ids')];
  const isAll = query.getAll('type').some((type) => ['selectable', 'enterable', 'accessible'].includes(type));
  if (names.length + ids.length === 0 && !query.has('type')) {
    throw new TrackerError(
      50,
      400,
      'The function Product.get requires that you set one of the following parameters: ids, names, type',
    );
  }
  const found = productsSeen(state, viewer).filter(
    (product) => isAll || names.includes(product.name.toLowerCase()) || ids.includes(String(product.id)),
  );
  return { products: found.map((product) => pickFields(choice, productShape(state, product, choice))) };
}

/** GET /rest/product_accessible, _enterable and _selectable, by name. */
export function productIds({ state, viewer }: Call): unknown {
  return { ids: productsSeen(state, viewer).map(({ id }) => id) };
}

/** GET /rest/product_enterable: those that take new bugs. */
export function enterableIds({ state, viewer }: Call): unknown {
  const open = productsSeen(state, viewer).filter(({ isClosed }) => isClosed !== true);
  return { ids: open.map(({ id }) => id) };
}

/** By name, as the server sorts them. */
const productsSeen = (state: TrackerState, viewer: Viewer): readonly Product[] =>
  state.products
    .filter((product) => maySeeProduct(viewer, product))
    .sort((one, other) => one.name.localeCompare(other.name));

function productShape(state: TrackerState, product: Product, choice: FieldChoice): Shape {
  const row = (list: 'components' | 'versions' | 'milestones', { id, name }: Part, more: Shape = {}): Shape =>
    pickParts(choice, list, { id, name, sort_key: 0, is_active: true, ...more });
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    is_active: product.isClosed !== true,
    classification: 'Unclassified',
    default_milestone: defaultMilestone(product),
    has_unconfirmed: product.hasUnconfirmed,
    ...(way(state, 'productKeys') === 'rich' ? richKeys(state) : {}),
    components: product.components.map((component) =>
      row('components', component, {
        description: component.description,
        default_assigned_to: component.assignee,
        default_qa_contact: component.qaContact,
        flag_types: componentFlagTypes(product.name),
      }),
    ),
    versions: versionsOf(product).map((version) => row('versions', version)),
    milestones: product.milestones
      .toSorted(compareMilestones)
      .map((milestone) => row('milestones', milestone, { sort_key: milestone.sortKey })),
  };
}

/** What harmony adds. */
const richKeys = (state: TrackerState): Shape => ({
  default_bug_type: way(state, 'types')[0] ?? null,
  default_op_sys: null,
  default_platform: null,
  default_security_group: state.settings.insidergroup,
});
