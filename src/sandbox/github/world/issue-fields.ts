/**
 * Values of the fields that an organisation defined for its issues. Texts are free, dates are ISO dates, and options
 * are named exactly as defined. Source: GitHub's OpenAPI description, issues/*-issue-field-value(s).
 */

import type { FieldValues } from '../../../model/item.ts';
import { forbidden, invalid, notFound } from '../server/errors.ts';
import {
  type FieldKind,
  type FieldOption,
  type FieldValue,
  type IssueField,
  type IssueRecord,
  mayPush,
  type Organisation,
  type Repo,
  type User,
  type ValuesById,
} from './records.ts';
import { freshId, type GithubState, stamp } from './state.ts';

/** One value of a request. */
export interface FieldWish {
  readonly fieldId: number;
  readonly value: unknown;
}

interface IssueAddress {
  readonly repo: Repo;
  readonly issue: IssueRecord;
}

/** The fields whose values a user sees in a repository; null if its owner has none. */
export function shownFields(state: GithubState, user: User, repo: Repo): readonly IssueField[] | null {
  const organisation = state.organisations.get(repo.owner.login.toLowerCase());
  if (organisation === undefined) return null;
  const isOutside = organisation.outsiders.has(user.login);
  return organisation.fields.filter(({ isForMembers }) => !isForMembers || !isOutside);
}

/** GET /orgs/{org}/issue-fields. Throws 404 if the owner has no fields, or the user may not list them. */
export function listedFields(state: GithubState, user: User, owner: string): readonly IssueField[] {
  const organisation = state.organisations.get(owner.toLowerCase());
  if (organisation === undefined || organisation.isPersonal || organisation.unlisted.has(user.login)) throw notFound();
  return organisation.fields.filter(({ isForMembers }) => !isForMembers || !organisation.outsiders.has(user.login));
}

/** The values of an issue by field name: numbers as texts, options by name, multiple choices as a list. */
export function namedValues(fields: readonly IssueField[], { fieldValues }: IssueRecord): FieldValues {
  const named: Record<string, string | readonly string[]> = {};
  for (const field of fields) {
    const value = fieldValues.get(field.id);
    if (value !== undefined) named[field.name] = asNamed(field, value);
  }
  return named;
}

/**
 * The values of a new issue, or of an issue after a PATCH. Undefined if the request has none, there are no fields, or
 * the user may not push.
 */
export function fieldsChosen(
  state: GithubState,
  user: User,
  repo: Repo,
  wishes: readonly FieldWish[] | undefined,
): ValuesById | undefined {
  const fields = shownFields(state, user, repo);
  if (wishes === undefined || fields === null) return undefined;
  const values = valuesOf(fields, wishes);
  return mayPush(user, repo) ? values : undefined;
}

/** POST .../issue-field-values: other values stay, but an empty list clears all. */
export function addFieldValues(
  state: GithubState,
  user: User,
  { repo, issue }: IssueAddress,
  wishes: readonly FieldWish[],
): void {
  const values = valuesOf(writableFields(state, user, repo), wishes);
  setFieldValues(
    state,
    user,
    { repo, issue },
    wishes.length === 0 ? values : new Map([...issue.fieldValues, ...values]),
  );
}

/** PUT .../issue-field-values: other values are removed, even those that the user does not see. */
export function replaceFieldValues(
  state: GithubState,
  user: User,
  { repo, issue }: IssueAddress,
  wishes: readonly FieldWish[],
): void {
  setFieldValues(state, user, { repo, issue }, valuesOf(writableFields(state, user, repo), wishes));
}

/** DELETE .../issue-field-values/{id}. Throws 404 if the issue has no value of the field that the user sees. */
export function clearFieldValue(state: GithubState, user: User, { repo, issue }: IssueAddress, fieldId: number): void {
  const isShown = writableFields(state, user, repo).some(({ id }) => id === fieldId);
  if (!isShown || !issue.fieldValues.has(fieldId)) throw notFound();
  setFieldValues(state, user, { repo, issue }, new Map([...issue.fieldValues].filter(([id]) => id !== fieldId)));
}

/** The same values do not make the issue newer. */
export function setFieldValues(
  state: GithubState,
  user: User,
  { repo, issue }: IssueAddress,
  values: ValuesById,
): void {
  const before = issue.fieldValues;
  const changed = [...new Set([...values.keys(), ...before.keys()])].filter(
    (id) => JSON.stringify(values.get(id)) !== JSON.stringify(before.get(id)),
  );
  if (changed.length === 0) return;
  issue.fieldValues = values;
  issue.updatedAt = stamp(state);
  const fields = state.organisations.get(repo.owner.login.toLowerCase())?.fields ?? [];
  for (const id of changed) {
    const action = !before.has(id) ? 'added' : values.has(id) ? 'changed' : 'removed';
    const field = fields.find((each) => each.id === id)?.name ?? '';
    issue.events.push({ id: freshId(state), action, field, actor: user, at: issue.updatedAt });
  }
}

/** The value as kept, or null if it is not valid for the field. */
function keptValue({ kind, options }: IssueField, value: unknown): FieldValue | null {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '' ? value : null;
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/u.test(value) && !Number.isNaN(Date.parse(value))
        ? value
        : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'single_select':
    case 'multi_select': {
      const names: readonly unknown[] = kind === 'multi_select' && Array.isArray(value) ? value : [value];
      const chosen = options.filter(({ name }) => names.includes(name));
      return chosen.length > 0 && names.every((name) => chosen.some((option) => option.name === name)) ? chosen : null;
    }
  }
}

/** Throws 404 if there are none, and 403 without the right to push. */
function writableFields(state: GithubState, user: User, repo: Repo): readonly IssueField[] {
  const fields = shownFields(state, user, repo);
  if (fields === null) throw notFound();
  if (!mayPush(user, repo)) throw forbidden();
  return fields;
}

/** Throws 422 for a field that the user does not see, and for an invalid value. */
function valuesOf(fields: readonly IssueField[], wishes: readonly FieldWish[]): ValuesById {
  return new Map(
    wishes.map(({ fieldId, value }) => {
      const field = fields.find(({ id }) => id === fieldId);
      const kept = field === undefined ? null : keptValue(field, value);
      if (kept !== null) return [fieldId, kept] as const;
      const message =
        field === undefined ? `There is no issue field ${fieldId}` : `"${String(value)}" is no value of ${field.name}`;
      throw invalid({ resource: 'Issue', code: 'invalid', field: 'issue_field_values', message });
    }),
  );
}

function asNamed({ kind }: IssueField, value: FieldValue): string | readonly string[] {
  if (typeof value !== 'object') return String(value);
  const names = value.map(({ name }) => name);
  return kind === 'multi_select' ? names : (names[0] ?? '');
}

export interface FieldDraft {
  readonly name: string;
  readonly kind: FieldKind;
  /** Names of the options. */
  readonly options?: readonly string[];
  readonly isForMembers?: boolean;
}

/** Logins outside the organisation, and logins that may not list its fields. */
export interface FieldAudience {
  readonly outsiders?: readonly string[];
  readonly unlisted?: readonly string[];
  readonly isPersonal?: boolean;
}

interface Founding {
  readonly before: Organisation | undefined;
  readonly nextId: () => number;
}

/** Fields and options keep their ids as long as they keep their names. */
export function organisationWith(
  drafts: readonly FieldDraft[],
  { outsiders = [], unlisted = [], isPersonal = false }: FieldAudience,
  { before, nextId }: Founding,
): Organisation {
  const fields = drafts.map(({ name, kind, options = [], isForMembers = false }): IssueField => {
    const known = before?.fields.find((field) => field.name === name && field.kind === kind);
    const optionNamed = (option: string): FieldOption =>
      known?.options.find((each) => each.name === option) ?? { id: nextId(), name: option };
    return { id: known?.id ?? nextId(), name, kind, isForMembers, options: options.map(optionNamed) };
  });
  return { isPersonal, fields, outsiders: new Set(outsiders), unlisted: new Set(unlisted) };
}
