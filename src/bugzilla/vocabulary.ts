import type * as z from 'zod';
import type { BugValueName } from '../model/item.ts';
import type { Vocabulary } from '../model/route.ts';
import type { TrackerClient } from './connection/client.ts';
import { isNotTold } from './connection/errors.ts';
import { isCustom } from './map.ts';
import { fieldsSchema, productsSchema, type WireChoice, type WireField } from './schema.ts';

/** The field resource uses old internal names. */
const internalNames = {
  severity: 'bug_severity',
  priority: 'priority',
  platform: 'rep_platform',
  op_sys: 'op_sys',
  keywords: 'keywords',
} as const satisfies Partial<Record<BugValueName | 'keywords', string>>;

/** The values that the tracker accepts for one product. Unreported ones are absent or null. */
export async function readVocabulary(client: TrackerClient, product: string): Promise<Vocabulary> {
  const fields = (await unlessUnknown(() => client.read(['field', 'bug'], {}, fieldsSchema)))?.body.fields ?? [];
  const products = await unlessUnknown(() => readProducts(client, product));
  const found = products?.find((one) => one.name === product);
  const fieldValues = Object.entries(internalNames).map(
    ([name, internal]) => [name, legal(valuesOf(fields, internal))] as const,
  );
  const ofProduct = [
    ['component', legal(found?.components)] as const,
    ['version', legal(found?.versions)] as const,
    ['milestone', legal(found?.milestones)] as const,
  ];
  const customs = fields.filter(({ name }) => isCustom(name));
  const ofCustoms = customs.map(
    ({ name, type, values }) => [name, type === 2 || type === 3 ? legal(values) : null] as const,
  );
  const all = [...fieldValues, ...ofProduct, ...ofCustoms].flatMap(([name, values]) =>
    values === null ? [] : [[name, values] as const],
  );
  return {
    values: Object.fromEntries(all),
    workflow: workflowOf(valuesOf(fields, 'bug_status')),
    ...componentsIn(products, found),
    ...(fields.length === 0
      ? {}
      : { customs: Object.fromEntries(customs.map(({ name, type }) => [name, kindOf(name, type)] as const)) }),
  };
}

/** The products of this name that our account sees. */
export async function readProducts(client: TrackerClient, product: string): Promise<readonly WireProduct[]> {
  return (await client.read(['product'], { names: product }, productsSchema)).body.products;
}

type WireProduct = z.infer<typeof productsSchema>['products'][number];

function componentsIn(
  products: readonly WireProduct[] | null,
  found: WireProduct | undefined,
): Pick<Vocabulary, 'components'> {
  if (products !== null && found === undefined) return { components: null };
  const names = found?.components?.flatMap(({ name }) => name ?? []);
  return names === undefined ? {} : { components: names };
}

/** The field resource numbers the kinds of fields; it calls the deadline a time, although it is a day. */
function kindOf(name: string, type: number | null | undefined): 'one' | 'several' | 'day' | 'number' | 'other' {
  if (type === 2) return 'one';
  if (type === 3) return 'several';
  if (type === 10) return 'number';
  return type === 9 || name === 'deadline' ? 'day' : 'other';
}

type Values = WireField['values'];

const valuesOf = (fields: readonly WireField[], name: string): Values =>
  fields.find((field) => field.name === name)?.values;

/** A retired value stays on old bugs and is not accepted for new ones. */
function legal(choices: readonly WireChoice[] | null | undefined): readonly string[] | null {
  return choices?.flatMap(({ name, is_active }) => (name && is_active !== false ? [name] : [])) ?? null;
}

/** The row without a name lists the initial statuses of new bugs; it is not a status itself. */
function workflowOf(values: Values): Vocabulary['workflow'] {
  const rows = values?.flatMap(({ name, can_change_to: moves }) =>
    name && moves ? [[name, moves.map((move) => move.name)] as const] : [],
  );
  return rows === undefined || rows.length === 0 ? null : Object.fromEntries(rows);
}

/** Trackers without these resources answer in different ways; a missing answer does not stop us. */
async function unlessUnknown<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}
