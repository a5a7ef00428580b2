import * as z from 'zod';
import type { TrackerSurvey } from '../model/survey.ts';
import type { TrackerClient } from './client.ts';
import { readCreationFields } from './creation-fields.ts';
import { isNotTold } from './errors.ts';
import { parameterListSchema, trackerTimeSchema } from './installation-object.ts';
import { sideErrorOf } from './outcome.ts';
import { usersSchema } from './schema.ts';
import { flag, whole } from './value.ts';

const zoneSchema = z.object({ timezone: z.string().nullish() });
const idsSchema = z.object({ ids: z.array(whole) });
const ownProductSchema = z.object({ products: z.array(z.object({ id: whole, is_active: flag.nullish() })) });

export interface SurveyAsk {
  readonly product: string;
  /** Our own account; null when the tracker did not tell it. */
  readonly login: string | null;
  /** Our clock. */
  readonly now: () => number;
}

/**
 * Looks around on the tracker, in a handful of small requests. Throws `SideError` when it cannot be reached.
 * Sources: GET /rest/user (which shows its groups to an account itself), /product, /product_enterable, /parameters, /time, /timezone.
 */
export async function surveyTracker(client: TrackerClient, { product, login, now }: SurveyAsk): Promise<TrackerSurvey> {
  try {
    const users = login === null ? null : await told(() => client.read(['user'], { names: login }, usersSchema));
    const groups = users?.body.users[0]?.groups?.flatMap(({ name }) => name ?? []) ?? null;
    const askedAt = now();
    const time = await told(() => client.read(['time'], {}, trackerTimeSchema));
    const zone = await told(() => client.read(['timezone'], {}, zoneSchema));
    const parameters = await told(() => client.read(['parameters'], {}, parameterListSchema));
    return {
      groups,
      takesBugs: await takesBugs(client, product),
      parameters: parameters?.body.parameters ?? null,
      creationFields: await readCreationFields(client),
      clockAt: time?.body.db_time ?? null,
      askedAt,
      timeZone: zone?.body.timezone ?? null,
    };
  } catch (failure) {
    throw sideErrorOf(failure);
  }
}

/** A product may be closed for everybody, or only for us. */
async function takesBugs(client: TrackerClient, product: string): Promise<boolean | null> {
  const query = { names: product, include_fields: 'id,is_active' };
  const own = (await told(() => client.read(['product'], query, ownProductSchema)))?.body.products[0];
  if (own === undefined) return null;
  if (own.is_active === false) return false;
  const enterable = await told(() => client.read(['product_enterable'], {}, idsSchema));
  return enterable === null ? null : enterable.body.ids.includes(own.id);
}

async function told<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}
