import type { FieldValues } from '../../model/item.ts';
import type { IssueField } from '../../model/survey.ts';
import type { Failure } from '../connection/failure.ts';
import type { Repository } from '../repository.ts';
import type { WireIssue } from '../schema.ts';
import { type Listed, listIssueFields } from './issue-fields.ts';

/** One element of what GitHub calls `issue_field_values`. */
export interface FieldBody {
  readonly field_id: number;
  /** Options go by their names. */
  readonly value: string | number | readonly string[];
}

/** What a change of fields comes to: values to set in one request, and fields to empty by one request each. */
export interface FieldChange {
  readonly set: readonly FieldBody[];
  readonly empty: readonly IssueField[];
}

export type Changed = { readonly kind: 'change'; readonly change: FieldChange } | { readonly kind: 'failed'; readonly failure: Failure };

/** What an organisation offers rarely changes; asking for each new option would cost a request a bug. */
const knownMs = 60 * 60 * 1000;

/** The wish in GitHub's terms. A field that the organisation does not have is left out; of one that has no such option, none is chosen. */
export async function fieldChange(repository: Repository, wanted: Wanted, existing: FieldValues): Promise<Changed> {
  if (Object.keys(wanted).length === 0) return { kind: 'change', change: { set: [], empty: [] } };
  const offered = await offeredFields(repository, wanted);
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

export type Fitting =
  | { readonly kind: 'fitting'; readonly values: readonly FieldBody[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Of values that were refused together those that fit what is offered now; none where all do, as the refusal then is about something else. */
export async function stillFitting(repository: Repository, refused: readonly FieldBody[]): Promise<Fitting> {
  repository.fields.known = null;
  const offered = await offeredFields(repository, {});
  if (offered.kind === 'failed') return offered;
  const kept = refused.flatMap(({ field_id, value }): readonly FieldBody[] => {
    const field = offered.fields.find(({ id }) => id === field_id);
    const fitting = field === undefined ? null : (fit(field, typeof value === 'number' ? String(value) : value) ?? null);
    return fitting === null ? [] : [{ field_id, value: fitting }];
  });
  return { kind: 'fitting', values: JSON.stringify(kept) === JSON.stringify(refused) ? [] : kept };
}

/** What the organisation offers, asked for again where something unknown is wanted and some time has passed. */
async function offeredFields({ client, owner, fields }: Repository, wanted: Wanted): Promise<Listed> {
  const { known } = fields;
  if (known !== null && (isAllKnown(known.list, wanted) || client.now() - known.readAt < knownMs))
    return { kind: 'listed', fields: known.list };
  const listed = await listIssueFields(client, owner);
  if (listed.kind === 'listed') fields.known = { list: listed.fields, readAt: client.now() };
  return listed;
}

type Wanted = Readonly<Record<string, string | readonly string[] | null>>;

function isAllKnown(fields: readonly IssueField[], wanted: Wanted): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const field = fields.find((each) => each.name === name);
    return (
      field !== undefined && (!field.kind.endsWith('_select') || [value ?? []].flat().every((each) => optionOf(field, each) !== undefined))
    );
  });
}

/** In GitHub's spelling: null for none, undefined where the field holds no such thing, which is left as it is. */
function fit(field: IssueField, value: string | readonly string[]): string | number | readonly string[] | null | undefined {
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

/** Undefined for what GitHub would give back in other words. */
const numberIn = (text: string): number | undefined =>
  String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : undefined;

const optionOf = ({ options }: IssueField, value: string): string | undefined =>
  options.find((option) => option.toLowerCase() === value.toLowerCase());

function isSame(one: string | number | readonly string[] | null, other: string | readonly string[] | undefined): boolean {
  const [mine, theirs] = [one ?? [], other ?? []].map((each) => [each].flat().map(String));
  return mine !== undefined && theirs !== undefined && mine.length === theirs.length && mine.every((each) => theirs.includes(each));
}

/** Undefined where GitHub does not tell of fields, or not in a form that can be told. */
export function toFields(values: WireIssue['issue_field_values']): FieldValues | undefined {
  if (values === undefined || values === null) return undefined;
  const fields: [string, string | readonly string[]][] = [];
  for (const each of values) {
    const told = valueIn(each);
    if (told === undefined || each.issue_field_name === undefined || each.issue_field_name === null) return undefined;
    if (told.length > 0) fields.push([each.issue_field_name, told]);
  }
  return Object.fromEntries(fields);
}

type WireValue = NonNullable<WireIssue['issue_field_values']>[number];

/** Empty for none. An option is known by its name, and its id says nothing to anybody. */
function valueIn({
  data_type,
  value,
  single_select_option: one,
  multi_select_options: several,
}: WireValue): string | readonly string[] | undefined {
  if (one !== undefined && one !== null) return one.name;
  if (several !== undefined && several !== null) return several.map(({ name }) => name);
  if (value === undefined || value === null) return '';
  if (data_type.endsWith('_select')) return undefined;
  // Nothing is ever written to a kind that is not known here, so that it may look empty.
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
}
