import { type FlagType, flagTypesOf, mayGrant, mayRequest } from '../attachments/flags.ts';
import type { Shape } from '../bugs/bugs.ts';
import { componentOf, productFor } from '../bugs/field-values.ts';
import { groups, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import type { Call } from '../server/call.ts';
import { noRoute, TrackerError } from '../server/errors.ts';

/** GET /rest/flag_type/PRODUCT and /rest/flag_type/PRODUCT/COMPONENT: the kinds of flags to set there. */
export function productFlagTypes({ state, viewer, name }: Call): unknown {
  if (!way(state, 'flagTypes')) throw noRoute('GET', `/flag_type/${name}`);
  const [productName = '', component] = name.split('/');
  const product = productFor(state, viewer, productName);
  if (product === null) {
    throw new TrackerError(
      106,
      401,
      `Either the product '${productName}' does not exist or you don't have access to it.`,
    );
  }
  if (component !== undefined) componentOf(product, component);
  const shapes = (target: FlagType['target']): readonly Shape[] =>
    flagTypesOf(target, product.name).map((type) => settableShape(viewer, type));
  return { bug: shapes('bug'), attachment: shapes('attachment') };
}

/** With the values that the caller may set. */
const settableShape = (viewer: Viewer, type: FlagType): Shape => ({
  id: type.id,
  name: type.name,
  description: type.description,
  type: type.target,
  values: ['X', ...(mayRequest(viewer, type) ? ['?'] : []), ...(mayGrant(viewer, type) ? ['+', '-'] : [])],
  is_active: true,
  is_requesteeble: type.isRequesteeble,
  is_multiplicable: type.isMultiplicable,
});

/** The kinds as a component of GET /rest/product lists them. */
export const componentFlagTypes = (product: string): Shape => ({
  bug: flagTypesOf('bug', product).map(definitionShape),
  attachment: flagTypesOf('attachment', product).map(definitionShape),
});

const groupId = (name: string | null): number | null => groups.find((group) => group.name === name)?.id ?? null;

const definitionShape = (type: FlagType): Shape => ({
  id: type.id,
  name: type.name,
  description: type.description,
  cc_list: '',
  sort_key: 1,
  is_active: true,
  is_requestable: true,
  is_requesteeble: type.isRequesteeble,
  is_multiplicable: type.isMultiplicable,
  grant_group: groupId(type.grantGroup),
  request_group: groupId(type.requestGroup),
});
