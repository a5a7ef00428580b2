import { at, isRecord, listAt, notOffered, ok } from './judge.ts';
import type { Caller } from './server.ts';

/** What may be written at this tracker, as it says itself. */
export interface Vocabulary {
  readonly statuses: readonly Status[];
  /** Statuses that a new bug may have. */
  readonly initial: readonly string[];
  /** Without the empty one and DUPLICATE. */
  readonly resolutions: readonly string[];
  readonly priorities: readonly string[];
  readonly severities: readonly string[];
  readonly platforms: readonly string[];
  readonly systems: readonly string[];
  readonly keywords: readonly string[];
  readonly custom: readonly CustomField[];
  /** Of `/rest/parameters`, texts. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Values for fields that some installations demand on creation. */
  readonly defaults: Readonly<Record<string, string>>;
}

export interface Status {
  readonly name: string;
  readonly isOpen: boolean;
  readonly next: readonly string[];
}

export type CustomKind = 'text' | 'select' | 'multiple' | 'textarea' | 'datetime' | 'bug' | 'date' | 'integer';

export interface CustomField {
  readonly name: string;
  readonly kind: CustomKind;
  readonly values: readonly string[];
}

export interface TestProduct {
  readonly product: string;
  readonly component: string;
  readonly version: string;
  readonly versions: readonly string[];
  readonly components: readonly string[];
  readonly milestones: readonly string[];
  readonly defaultMilestone: string;
  readonly hasUnconfirmed: boolean;
  /** Default people of components, by component. */
  readonly people: Readonly<Record<string, { readonly assignee: string; readonly qaContact: string }>>;
  /** Other products in which the key may file. */
  readonly others: readonly Product[];
}

export interface Product {
  readonly name: string;
  readonly component: string;
  readonly version: string;
  readonly milestone: string;
}

const customKinds: Readonly<Record<number, CustomKind>> = {
  1: 'text',
  2: 'select',
  3: 'multiple',
  4: 'textarea',
  5: 'datetime',
  6: 'bug',
  9: 'date',
  10: 'integer',
};

export async function vocabularyOf(caller: Caller): Promise<Vocabulary> {
  const fields = listAt(ok(await caller.get('/field/bug')), 'fields').filter(isRecord);
  const field = (name: string) => fields.find((one) => one['name'] === name);
  const valuesOf = (name: string) => texts(at(field(name), 'values'));
  const reply = await caller.get('/parameters');
  const parameters = at(reply.body, 'parameters');
  const statuses = listAt(field('bug_status'), 'values').filter(isRecord);
  const isNew = (value: Readonly<Record<string, unknown>>) => typeof value['name'] !== 'string' || value['name'] === '';
  const known = isRecord(parameters) ? parameters : {};
  const platforms = valuesOf('rep_platform');
  const systems = valuesOf('op_sys');
  const priorities = valuesOf('priority');
  const severities = valuesOf('bug_severity');
  return {
    statuses: statuses
      .filter((value) => !isNew(value))
      .map((value) => ({
        name: String(value['name']),
        isOpen: value['is_open'] === true,
        next: texts(value['can_change_to']),
      })),
    initial: statuses.filter(isNew).flatMap((value) => texts(value['can_change_to'])),
    resolutions: valuesOf('resolution').filter((name) => name !== '' && name !== 'DUPLICATE' && name !== 'MOVED'),
    priorities,
    severities,
    platforms,
    systems,
    keywords: valuesOf('keywords'),
    custom: fields.flatMap(customField),
    parameters: known,
    defaults: {
      platform: chosen(known['defaultplatform'], platforms),
      op_sys: chosen(known['defaultopsys'], systems),
      priority: chosen(known['defaultpriority'], priorities),
      severity: chosen(known['defaultseverity'], severities),
      ...mandatory(fields),
    },
  };
}

/**
 * A value for what this installation demands of a new bug besides. Harmony may demand a type without marking it
 * mandatory.
 */
const mandatory = (fields: readonly Readonly<Record<string, unknown>>[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const isType = field['name'] === 'bug_type';
      const [value] = texts(field['values']).filter((name) => name !== '---');
      const isAsked = isType || (field['is_custom'] === true && field['is_mandatory'] === true);
      return isAsked && value !== undefined ? [[isType ? 'type' : String(field['name']), value]] : [];
    }),
  );

const chosen = (wish: unknown, values: readonly string[]): string =>
  typeof wish === 'string' && values.includes(wish) ? wish : (values[0] ?? '');

function texts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((one) => at(one, 'is_active') !== false).flatMap((one) => textOf(at(one, 'name') ?? one))
    : [];
}

const textOf = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);

function customField(field: Readonly<Record<string, unknown>>): readonly CustomField[] {
  const kind = customKinds[Number(field['type'])];
  if (field['is_custom'] !== true || kind === undefined) return [];
  return [{ name: String(field['name']), kind, values: texts(field['values']) }];
}

export async function choosePlace(
  caller: Caller,
  wish: { readonly product?: string; readonly component?: string },
): Promise<TestProduct> {
  const ids = listAt(ok(await caller.get('/product_enterable')), 'ids').slice(0, 50);
  const query = { ids: ids.map(String) };
  const products = listAt(ok(await caller.get('/product', query)), 'products').filter(isRecord);
  const usable = products.filter(
    (product) => componentsOf(product).length > 0 && texts(product['versions']).length > 0,
  );
  const product =
    usable.find(({ name }) => name === wish.product) ?? (wish.product === undefined ? richest(usable) : undefined);
  if (product === undefined)
    return notOffered(`the key may file bugs in no product${wish.product === undefined ? '' : ` ${wish.product}`}`);
  const components = componentsOf(product);
  const component = wish.component ?? components[0];
  const versions = texts(product['versions']);
  if (component === undefined || versions[0] === undefined)
    return notOffered('the product has no component or version');
  return {
    product: String(product['name']),
    component,
    version: versions[0],
    versions,
    components,
    milestones: texts(product['milestones']),
    defaultMilestone: String(product['default_milestone'] ?? ''),
    hasUnconfirmed: product['has_unconfirmed'] === true,
    people: Object.fromEntries(listAt(product, 'components').filter(isRecord).map(peopleOf)),
    others: usable.filter((one) => one !== product).map(asProduct),
  };
}

const componentsOf = (product: unknown): readonly string[] => texts(at(product, 'components'));

/** The product with most to choose from shows most; private ones tend to be small. */
function richest(
  products: readonly Readonly<Record<string, unknown>>[],
): Readonly<Record<string, unknown>> | undefined {
  const wealth = (product: unknown) =>
    componentsOf(product).length + texts(at(product, 'versions')).length + texts(at(product, 'milestones')).length;
  return [...products].sort((one, other) => wealth(other) - wealth(one))[0];
}

const peopleOf = (component: Readonly<Record<string, unknown>>) =>
  [
    String(component['name']),
    {
      assignee: String(component['default_assigned_to'] ?? ''),
      qaContact: String(component['default_qa_contact'] ?? ''),
    },
  ] as const;

const asProduct = (product: Readonly<Record<string, unknown>>): Product => ({
  name: String(product['name']),
  component: componentsOf(product)[0] ?? '',
  version: texts(product['versions'])[0] ?? '',
  milestone: String(product['default_milestone'] ?? texts(product['milestones'])[0] ?? '---'),
});
