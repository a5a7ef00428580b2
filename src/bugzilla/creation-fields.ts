import { z } from 'zod';
import type { CreationField } from '../model/survey.ts';
import type { TrackerClient } from './client.ts';
import { isNotTold } from './errors.ts';
import { flag, text, texts, whole } from './value.ts';

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

/** The field resource knows fields by their old internal names; a new bug is filed under those of the interface. */
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
 * The fields that a new bug can say, with those that the tracker wants of every one. Null when it does not tell. Harmony and BMO want a
 * `type` unless their parameter `require_bug_type` is off, and do not call it mandatory: where there are types, it counts as such. Measured.
 * Source: GET /rest/field/bug. Throws `TrackerError`.
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
  const values = wire.values?.flatMap(({ name, is_active: isActive }) => (name && isActive !== false ? [name] : [])) ?? [];
  const isCustomChoice = wire.name.startsWith('cf_') && wire.type === oneOfSeveral;
  // The tracker takes "---" of a custom choice for no value at all.
  const meant = isCustomChoice && wire.is_mandatory ? values.filter((name) => name !== '---') : values;
  return {
    name: nameAtCreation(wire.name),
    label: wire.display_name || wire.name,
    isMandatory: wire.name === 'bug_type' || (wire.is_mandatory ?? false),
    isList: wire.type === several,
    values: meant.length === 0 ? null : meant,
    shownWhere: wire.visibility_field ? { field: nameAtCreation(wire.visibility_field), values: wire.visibility_values ?? [] } : null,
  };
}

/** How the field resource numbers the kinds of fields. */
const oneOfSeveral = 2;
const several = 3;
