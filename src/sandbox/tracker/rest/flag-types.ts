import { type FlagType, flagTypesOf } from '../attachments/flags.ts';
import type { Shape } from '../bugs/bugs.ts';
import { componentOf, productFor } from '../bugs/field-values.ts';
import type { Call } from '../server/call.ts';
import { TrackerError } from '../server/errors.ts';

/** GET /rest/flag_type/PRODUCT and /rest/flag_type/PRODUCT/COMPONENT: the kinds of flags to set there, the same everywhere. */
export function productFlagTypes({ state, viewer, name }: Call): unknown {
  const [productName = '', component] = name.split('/');
  const product = productFor(state, viewer, productName);
  if (product === null) {
    throw new TrackerError(106, 401, `Either the product '${productName}' does not exist or you don't have access to it.`);
  }
  if (component !== undefined) componentOf(product, component);
  return { bug: flagTypesOf('bug').map(settableShape), attachment: flagTypesOf('attachment').map(settableShape) };
}

/** With the values that the caller may set: here all. */
const settableShape = (type: FlagType): Shape => ({
  id: type.id,
  name: type.name,
  description: type.description,
  type: type.target,
  values: ['X', '?', '+', '-'],
  is_active: true,
  is_requesteeble: type.isRequesteeble,
  is_multiplicable: type.isMultiplicable,
});

/** The kinds as a component of GET /rest/product lists them. */
export const componentFlagTypes = (): Shape => ({
  bug: flagTypesOf('bug').map(definitionShape),
  attachment: flagTypesOf('attachment').map(definitionShape),
});

const definitionShape = (type: FlagType): Shape => ({
  id: type.id,
  name: type.name,
  description: type.description,
  cc_list: '',
  sort_key: 0,
  is_active: true,
  is_requestable: true,
  is_requesteeble: type.isRequesteeble,
  is_multiplicable: type.isMultiplicable,
  grant_group: null,
  request_group: null,
});
