import type { FieldValues } from '../../model/item.ts';
import type { IssueField } from '../../model/survey.ts';
import type { Failure } from '../connection/failure.ts';
import { type Listed, listIssueFields } from '../reading/offered-fields.ts';
import type { Repository } from '../repository.ts';

/** One element of what GitHub calls `issue_field_values`. */
export interface FieldBody {
  readonly field_id: number;
  /** Options by name. */
  readonly value: string | number | readonly string[];
}

/** The requests for a change of fields: values to set in one request, and fields to clear with one request each. */
export interface FieldChange {
  readonly set: readonly FieldBody[];
  readonly empty: readonly IssueField[];
}

export type Changed =
  | { readonly kind: 'change'; readonly change: FieldChange }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Fields rarely change; reading them for each unknown option would cost a request per bug. */
const knownMs = 60 * 60 * 1000;

/**
 * The wanted values in GitHub's terms. Drops a field that the organisation does not have, and an option that the field
 * does not have.
 */
export async function fieldChange(
  repository: Repository,
  wanted: DesiredValues,
  existing: FieldValues,
): Promise<Changed> {
  if (Object.keys(wanted).length === 0) return { kind: 'change', change: { set: [], empty: [] } };
  const offered = await fieldsToWrite(repository, wanted);
  if (offered.kind === 'failed') return offered;
  const set: FieldBody[] = [];
  const empty: IssueField[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const field = offered.fields.find((each) => each.name === name);
    if (field === undefined) continue;
    const fitting = value === null ? null : fit(field, value);
    if (fitting === undefined || isSame(fitting, Object.hasOwn(existing, name) ? existing[name] : undefined)) continue;
    if (fitting === null) empty.push(field);
    else set.push({ field_id: field.id, value: fitting });
  }
  return { kind: 'change', change: { set, empty } };
}

type Fitting =
  | { readonly kind: 'fitting'; readonly values: readonly FieldBody[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The refused values that fit the current fields; none if all do, as the refusal is then about something else. */
export async function stillFitting(repository: Repository, refused: readonly FieldBody[]): Promise<Fitting> {
  repository.fields.known = null;
  const offered = await fieldsToWrite(repository, {});
  if (offered.kind === 'failed') return offered;
  const kept = refused.flatMap(({ field_id, value }): readonly FieldBody[] => {
    const field = offered.fields.find(({ id }) => id === field_id);
    const fitting =
      field === undefined ? null : (fit(field, typeof value === 'number' ? String(value) : value) ?? null);
    return fitting === null ? [] : [{ field_id, value: fitting }];
  });
  return { kind: 'fitting', values: JSON.stringify(kept) === JSON.stringify(refused) ? [] : kept };
}

/** The fields of the repository, read again if an unknown one is wanted and some time has passed. */
async function fieldsToWrite({ client, owner, name, fields }: Repository, wanted: DesiredValues): Promise<Listed> {
  const { known } = fields;
  if (known !== null && (isAllKnown(known.list, wanted) || client.now() - known.readAt < knownMs))
    return { kind: 'listed', fields: known.list };
  const listed = await listIssueFields(client, { owner, repo: name.slice(owner.length + 1) });
  if (listed.kind === 'listed') fields.known = { list: listed.fields, readAt: client.now() };
  return listed;
}

type DesiredValues = Readonly<Record<string, string | readonly string[] | null>>;

function isAllKnown(fields: readonly IssueField[], wanted: DesiredValues): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    return (
      field !== undefined &&
      (!field.kind.endsWith('_select') || [value ?? []].flat().every((each) => optionOf(field, each) !== undefined))
    );
  });
}

/** In GitHub's spelling: null for none; undefined if the field cannot hold the value, and stays unchanged. */
function fit(
  field: IssueField,
  value: string | readonly string[],
): string | number | readonly string[] | null | undefined {
  const list = [value].flat();
  switch (field.kind) {
    case 'text':
      return list.length > 1 ? undefined : (list[0] ?? null);
    case 'single_select':
      return list.length > 1 ? undefined : ((list[0] === undefined ? null : optionOf(field, list[0])) ?? null);
    case 'multi_select': {
      const options = list.flatMap((each) => optionOf(field, each) ?? []);
      return options.length === 0 ? null : options;
    }
    case 'number':
      return list.length > 1 ? undefined : list[0] === undefined ? null : numberIn(list[0]);
    case 'date':
      return list.length > 1 || !/^(?:\d{4}-\d\d-\d\d)?$/u.test(list[0] ?? '') ? undefined : (list[0] ?? null);
    default:
      return undefined;
  }
}

/** Undefined for a value that GitHub would return changed. */
const numberIn = (text: string): number | undefined =>
  String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : undefined;

const optionOf = ({ options }: IssueField, value: string): string | undefined =>
  options.find((option) => option.toLowerCase() === value.toLowerCase());

function isSame(
  one: string | number | readonly string[] | null,
  other: string | readonly string[] | undefined,
): boolean {
  const [mine, theirs] = [one ?? [], other ?? []].map((each) => [each].flat().map(String));
  return (
    mine !== undefined &&
    theirs !== undefined &&
    mine.length === theirs.length &&
    mine.every((each) => theirs.includes(each))
  );
}
