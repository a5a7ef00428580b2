import type { Issue } from '../../model/item.ts';
import type { IssuePatch } from '../../model/operation.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { IssueField as OfferedField } from '../../model/survey.ts';
import { applied, type Desk, issueNow, shown, unwritten, write } from './desk.ts';
import type { DirectRequest } from './direct.ts';
import { addFieldValues, clearFieldValue, type FieldWish, keptValue, listedFields } from './world/issue-fields.ts';
import type { IssueField } from './world/records.ts';

type Wishes = NonNullable<IssuePatch['fields']>;
type Wished = string | readonly string[];

/** One request behind an update. */
export interface FieldStep {
  readonly request: DirectRequest;
  readonly work: () => Outcome<Issue>;
}

/** Lists the organisation's fields where values are to be written, once. What hinders that, and null when nothing does. */
export async function knowFields(desk: Desk, wishes: Wishes | undefined): Promise<Outcome<never> | null> {
  if (desk.hasFields || wishes === undefined || Object.keys(wishes).length === 0) return null;
  const path = `/orgs/${desk.repo.owner.login}/issue-fields`;
  const outcome = unwritten(await write(desk, { method: 'GET', path }, null, () => applied(null)));
  if (outcome.kind !== 'applied') return outcome;
  desk.hasFields = true;
  return null;
}

/** All values in one request, then a request for each that is taken away. What stands already is not sent. */
export function fieldSteps(desk: Desk, issue: Issue, wishes: Wishes): readonly FieldStep[] {
  const { state, user, repo } = desk;
  const path = `${desk.path}/issues/${issue.number}/issue-field-values`;
  const step = (request: DirectRequest, work: () => void): FieldStep => ({
    request,
    work: () => {
      work();
      return applied(shown(desk, issueNow(desk, issue.number)));
    },
  });
  const place = () => ({ repo, issue: issueNow(desk, issue.number) });
  const standing = issue.fields ?? {};
  const inLetters = (value: Wished | null | undefined): string => JSON.stringify(value ?? null).toLowerCase();
  const isNew = (name: string, value: Wished | null): boolean => inLetters(standing[name]) !== inLetters(value);
  const values = wishesOf(desk, Object.fromEntries(Object.entries(wishes).filter(([name, value]) => isNew(name, value))));
  const cleared = knownFields(desk).filter((field) => standing[field.name] !== undefined && empties(field, wishes[field.name]));
  return [
    ...(values.length === 0 ? [] : [step({ method: 'POST', path }, () => addFieldValues(state, user, place(), values))]),
    ...cleared.map(({ id }) => step({ method: 'DELETE', path: `${path}/${id}` }, () => clearFieldValue(state, user, place(), id))),
  ];
}

/** By the ids of their fields; what no field takes is left out, of several options each for itself. */
export function wishesOf(desk: Desk, wishes: Wishes): readonly FieldWish[] {
  return knownFields(desk).flatMap((field) => {
    const wished = wishes[field.name];
    if (wished === undefined || wished === null) return [];
    const value = sentValue(field, wished);
    return keptValue(field, value) === null ? [] : [{ fieldId: field.id, value }];
  });
}

/** Also with options that are not offered: none is then chosen. */
function empties(field: IssueField, wish: Wished | null | undefined): boolean {
  if (wish === null || wish?.length === 0) return true;
  return wish !== undefined && field.kind.endsWith('_select') && keptValue(field, sentValue(field, wish)) === null;
}

function sentValue({ kind, options }: IssueField, wished: Wished): unknown {
  if (kind === 'number') return wished === '' ? null : Number(wished);
  if (!kind.endsWith('_select')) return wished;
  const wanted = new Set([wished].flat().map((name) => name.toLowerCase()));
  const chosen = options.map(({ name }) => name).filter((name) => wanted.has(name.toLowerCase()));
  return kind === 'multi_select' ? chosen : wanted.size > 1 ? null : chosen[0];
}

/** What may be chosen, as the port tells it. */
export const offeredFields = (desk: Desk): readonly OfferedField[] | null =>
  mayList(desk) ? knownFields(desk).map(({ options, ...field }) => ({ ...field, options: options.map(({ name }) => name) })) : null;

/** None where there are none, or the account may not list them. */
function knownFields(desk: Desk): readonly IssueField[] {
  return mayList(desk) ? listedFields(desk.state, desk.user, desk.repo.owner.login) : [];
}

function mayList({ state, user, repo }: Desk): boolean {
  return state.organisations.get(repo.owner.login.toLowerCase())?.unlisted.has(user.login) === false;
}
