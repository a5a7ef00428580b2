/** What a tracker reports about itself: not part of the interface's sections, and different in every version. */

import { type ZodType, z } from 'zod';
import { flag, instant, list, textOrNothing, whole } from '../connection/answer.ts';
import type { Query, Request, TrackerClient } from '../connection/client.ts';
import { isNotTold } from '../connection/errors.ts';
import { validLoginSchema, versionSchema, whoamiSchema } from '../schema.ts';

export interface FieldValue {
  /** Null (or empty) in the row of a status field that lists the initial statuses. */
  readonly name: string | null;
  /** False for a retired value: it stays on old bugs and is not accepted for new ones. */
  readonly is_active?: boolean;
  readonly is_open?: boolean;
  /** For a status: the statuses that this account may change it to. */
  readonly can_change_to?: readonly { readonly name: string; readonly comment_required?: boolean }[];
}

/** From `/rest/field/bug`. Names are the old internal ones: `bug_status`, `short_desc`, `cf_...`. */
export interface Field {
  readonly name: string;
  readonly display_name?: string;
  /** 1 text, 2 one of several, 3 several, 4 large text, 5 time, 6 bug id; others on some versions. */
  readonly type?: number;
  readonly is_custom?: boolean;
  readonly is_mandatory?: boolean;
  readonly is_on_bug_entry?: boolean;
  /** Absent for a field that takes any value. */
  readonly values?: readonly FieldValue[];
}

export interface ProductPart {
  readonly name: string;
  readonly is_active?: boolean;
}

/** From `/rest/product`. */
export interface Product {
  readonly id?: number;
  readonly name: string;
  readonly description?: string;
  readonly is_active?: boolean;
  readonly has_unconfirmed?: boolean;
  readonly default_milestone?: string;
  readonly components?: readonly ProductPart[];
  readonly versions?: readonly ProductPart[];
  readonly milestones?: readonly ProductPart[];
}

/** From `/rest/time`. Epoch milliseconds; null if the tracker does not report it. */
export interface TrackerTime {
  /** The clock of the timestamps of bugs. */
  readonly db_time: number | null;
  /** The clock of the web server. */
  readonly web_time: number | null;
}

const text = textOrNothing.exactOptional();
const move = z.object({ name: z.string(), comment_required: flag.exactOptional() });
const fieldValue: z.ZodType<FieldValue> = z.object({
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? null),
  is_active: flag.exactOptional(),
  is_open: flag.exactOptional(),
  can_change_to: z.array(move).exactOptional(),
});
const field: z.ZodType<Field> = z.object({
  name: z.string(),
  display_name: text,
  type: whole.exactOptional(),
  is_custom: flag.exactOptional(),
  is_mandatory: flag.exactOptional(),
  is_on_bug_entry: flag.exactOptional(),
  values: z.array(fieldValue).exactOptional(),
});
const part: z.ZodType<ProductPart> = z.object({ name: z.string(), is_active: flag.exactOptional() });
const product: z.ZodType<Product> = z.object({
  id: whole.exactOptional(),
  name: z.string(),
  description: text,
  is_active: flag.exactOptional(),
  has_unconfirmed: flag.exactOptional(),
  default_milestone: text,
  components: z.array(part).exactOptional(),
  versions: z.array(part).exactOptional(),
  milestones: z.array(part).exactOptional(),
});

const fieldListSchema = z.object({ fields: z.array(field) });
const productListSchema = z.object({ products: z.array(product) });
const toldTime = instant.nullish().transform((at) => at ?? null);
export const trackerTimeSchema: z.ZodType<TrackerTime> = z.object({ db_time: toldTime, web_time: toldTime });
export const parameterListSchema = z.object({
  parameters: z.record(z.string(), z.union([z.string(), z.number().transform(String), list.transform(String)])),
});

/**
 * What a client needs beyond the interface. Returns null for everything that the tracker does not report, or not to us.
 */

export const readVersion = async (client: TrackerClient): Promise<string | null> =>
  (await whenReported(client, ['version'], {}, versionSchema))?.version ?? null;

export const readTime = (client: TrackerClient): Promise<TrackerTime | null> =>
  whenReported(client, ['time'], {}, trackerTimeSchema);

export async function readWhoami(client: TrackerClient): Promise<string | null> {
  const account = await whenReported(client, ['whoami'], {}, whoamiSchema);
  return account === null || account.id === 0 ? null : account.name || account.login || null;
}

export const readValidLogin = async (client: TrackerClient, login: string): Promise<boolean | null> =>
  (await whenReported(client, ['valid_login'], { login }, validLoginSchema))?.result ?? null;

/** All fields, or one by its internal name. */
export async function readFields(client: TrackerClient, name: string | undefined): Promise<readonly Field[] | null> {
  const path = name === undefined ? ['field', 'bug'] : ['field', 'bug', name];
  return (await whenReported(client, path, {}, fieldListSchema))?.fields ?? null;
}

/** Products by name, or all visible ones; invisible ones are absent. */
export async function readProducts(
  client: TrackerClient,
  names: readonly string[] | undefined,
): Promise<readonly Product[] | null> {
  if (names?.length === 0) return [];
  const query = names === undefined ? { type: 'accessible' } : { names };
  return (await whenReported(client, ['product'], query, productListSchema))?.products ?? null;
}

/** Anonymous readers see almost nothing, administrators everything. */
export const readParameters = async (client: TrackerClient): Promise<Readonly<Record<string, string>> | null> =>
  (await whenReported(client, ['parameters'], {}, parameterListSchema))?.parameters ?? null;

async function whenReported<T>(
  client: TrackerClient,
  path: Request['path'],
  query: Query,
  schema: ZodType<T>,
): Promise<T | null> {
  try {
    return (await client.read(path, query, schema)).body;
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}
