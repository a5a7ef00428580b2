/** What a client needs beyond the interface. A tracker that does not tell something, or not to us, is answered with null. */
import type { ZodType } from 'zod';
import type { Query, Request, TrackerClient } from './client.ts';
import { isNotTold } from './errors.ts';
import {
  type Field,
  fieldListSchema,
  type Product,
  parameterListSchema,
  productListSchema,
  type TrackerTime,
  trackerTimeSchema,
} from './installation-object.ts';
import { validLoginSchema, versionSchema, whoamiSchema } from './schema.ts';

export const readVersion = async (client: TrackerClient): Promise<string | null> =>
  (await told(client, ['version'], {}, versionSchema))?.version ?? null;

export const readTime = (client: TrackerClient): Promise<TrackerTime | null> => told(client, ['time'], {}, trackerTimeSchema);

export async function readWhoami(client: TrackerClient): Promise<string | null> {
  const account = await told(client, ['whoami'], {}, whoamiSchema);
  return account === null || account.id === 0 ? null : account.name || account.login || null;
}

export const readValidLogin = async (client: TrackerClient, login: string): Promise<boolean | null> =>
  (await told(client, ['valid_login'], { login }, validLoginSchema))?.result ?? null;

/** All fields, or one by its internal name. */
export async function readFields(client: TrackerClient, name: string | undefined): Promise<readonly Field[] | null> {
  const path = name === undefined ? ['field', 'bug'] : ['field', 'bug', name];
  return (await told(client, path, {}, fieldListSchema))?.fields ?? null;
}

/** Products by name, or all that the account may see; those that it may not see are simply not there. */
export async function readProducts(client: TrackerClient, names: readonly string[] | undefined): Promise<readonly Product[] | null> {
  if (names?.length === 0) return [];
  const query = names === undefined ? { type: 'accessible' } : { names };
  return (await told(client, ['product'], query, productListSchema))?.products ?? null;
}

/** Strangers are told next to nothing, administrators everything. */
export const readParameters = async (client: TrackerClient): Promise<Readonly<Record<string, string>> | null> =>
  (await told(client, ['parameters'], {}, parameterListSchema))?.parameters ?? null;

async function told<T>(client: TrackerClient, path: Request['path'], query: Query, schema: ZodType<T>): Promise<T | null> {
  try {
    return (await client.read(path, query, schema)).body;
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}
