import * as z from 'zod';
import type { CreationField, TrackerSurvey } from '../model/survey.ts';
import { parameterListSchema, trackerTimeSchema } from './api/installation.ts';
import { flag, reading, text, texts, whole } from './connection/answer.ts';
import type { TrackerClient } from './connection/client.ts';
import { isNotTold } from './connection/errors.ts';
import { usersSchema } from './schema.ts';

const zoneSchema = z.object({ timezone: z.string().nullish() });
const idsSchema = z.object({ ids: z.array(whole) });
const ownProductSchema = z.object({ products: z.array(z.object({ id: whole, is_active: flag.nullish() })) });

interface SurveyAsk {
  readonly product: string;
  /** Our own account; null if the tracker did not report it. */
  readonly login: string | null;
  /** Our clock. */
  readonly now: () => number;
}

/**
 * Reads settings and rights from the tracker, in a few small requests. Throws `SideError` if it is unreachable.
 * Sources: GET /rest/user (which shows its groups to an account itself), /product, /product_enterable, /parameters,
 * /time, /timezone.
 */
export async function surveyTracker(client: TrackerClient, { product, login, now }: SurveyAsk): Promise<TrackerSurvey> {
  return reading(async () => {
    const users =
      login === null ? null : await whenReported(() => client.read(['user'], { names: login }, usersSchema));
    const groups = users?.body.users[0]?.groups?.flatMap(({ name }) => name ?? []) ?? null;
    const askedAt = now();
    const time = await whenReported(() => client.read(['time'], {}, trackerTimeSchema));
    const zone = await whenReported(() => client.read(['timezone'], {}, zoneSchema));
    const parameters = await whenReported(() => client.read(['parameters'], {}, parameterListSchema));
    return {
      groups,
      takesBugs: await takesBugs(client, product),
      parameters: parameters?.body.parameters ?? null,
      creationFields: await readCreationFields(client),
      clockAt: time?.body.db_time ?? null,
      askedAt,
      timeZone: zone?.body.timezone ?? null,
    };
  });
}

/** A product may be closed for everyone, or only for us. */
async function takesBugs(client: TrackerClient, product: string): Promise<boolean | null> {
  const query = { names: product, include_fields: 'id,is_active' };
  const own = (await whenReported(() => client.read(['product'], query, ownProductSchema)))?.body.products[0];
  if (own === undefined) return null;
  if (own.is_active === false) return false;
  const enterable = await whenReported(() => client.read(['product_enterable'], {}, idsSchema));
  return enterable === null ? null : enterable.body.ids.includes(own.id);
}

async function whenReported<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}

const value = z.object({ name: text, is_active: flag.nullish() });
const field = z.object({
  name: z.string(),
  display_name: text,
  type: whole.nullish(),
  is_mandatory: flag.nullish(),
  visibility_field: text,
  visibility_values: texts,
  values: z.array(value).nullish(),
});
type WireField = z.infer<typeof field>;

/** The field resource uses old internal names; a new bug is filed with those of the REST interface. */
const namesAtCreation: Readonly<Record<string, string>> = {
  bug_file_loc: 'url',
  bug_severity: 'severity',
  bug_type: 'type',
  longdesc: 'description',
  rep_platform: 'platform',
  short_desc: 'summary',
  status_whiteboard: 'whiteboard',
};
const nameAtCreation = (name: string): string => namesAtCreation[name] ?? name;

/**
 * The fields of a new bug, and which are required. Null if the tracker does not report them. Harmony and BMO require a
 * `type` unless their parameter `require_bug_type` is off, but do not mark it mandatory: if there are types, it counts
 * as mandatory. Measured. Source: GET /rest/field/bug. Throws `TrackerError`.
 */
export async function readCreationFields(client: TrackerClient): Promise<readonly CreationField[] | null> {
  try {
    const { body } = await client.read(['field', 'bug'], {}, z.object({ fields: z.array(field) }));
    return body.fields.map(creationField);
  } catch (failure) {
    if (isNotTold(failure)) return null;
    throw failure;
  }
}

function creationField(wire: WireField): CreationField {
  const values =
    wire.values?.flatMap(({ name, is_active: isActive }) => (name && isActive !== false ? [name] : [])) ?? [];
  const isCustomChoice = wire.name.startsWith('cf_') && wire.type === oneOfSeveral;
  // In a custom choice, the tracker treats "---" as no value.
  const meant = isCustomChoice && wire.is_mandatory ? values.filter((name) => name !== '---') : values;
  return {
    name: nameAtCreation(wire.name),
    label: wire.display_name || wire.name,
    isMandatory: wire.name === 'bug_type' || (wire.is_mandatory ?? false),
    isList: wire.type === several,
    values: meant.length === 0 ? null : meant,
    shownWhere: wire.visibility_field
      ? { field: nameAtCreation(wire.visibility_field), values: wire.visibility_values ?? [] }
      : null,
  };
}

/** The kinds of fields, as the field resource numbers them. */
const oneOfSeveral = 2;
const several = 3;
