import type { components } from '@octokit/openapi-types';
import { type Ask, valueIn } from '../server/ask.ts';
import { invalid } from '../server/errors.ts';
import { type FieldWish, shownFields } from '../world/issue-fields.ts';
import type { FieldOption, FieldValue, IssueField, IssueRecord, Repo } from '../world/records.ts';
import { issueShape, nodeId } from './shapes.ts';

type Schemas = components['schemas'];

/** An issue in an answer, with the field values that the caller may see, if the owner has fields. */
export function issueAnswer(ask: Ask, repo: Repo, issue: IssueRecord): Schemas['issue'] {
  const fields = shownFields(ask.state, ask.caller, repo);
  const shape = issueShape(ask.state, repo, issue);
  return fields === null ? shape : { ...shape, issue_field_values: valueShapes(fields, issue) };
}

export function fieldShape({ id, name, kind, isForMembers, options }: IssueField): NonNullable<Schemas['issue-field']> {
  return {
    id,
    node_id: nodeId('IF', id),
    name,
    description: null,
    data_type: kind,
    visibility: isForMembers ? 'organization_members_only' : 'all',
    ...(kind.endsWith('_select')
      ? { options: options.map((option, at) => ({ ...optionShape(option), color: 'gray', priority: at + 1 })) }
      : {}),
  };
}

/** In the fields' defined order. */
export function valueShapes(
  fields: readonly IssueField[],
  { fieldValues }: IssueRecord,
): Schemas['issue-field-value'][] {
  return fields.flatMap((field) => {
    const value = fieldValues.get(field.id);
    return value === undefined ? [] : [valueShape(field, value)];
  });
}

/** Undefined if the body does not have them; throws 422 if they are not a list of values with field ids. */
export function fieldWishesIn({ body }: Ask): readonly FieldWish[] | undefined {
  const wishes = valueIn(body, 'issue_field_values');
  if (wishes === undefined) return undefined;
  if (!Array.isArray(wishes)) throw invalid({ resource: 'Issue', code: 'invalid', field: 'issue_field_values' });
  return wishes.map((wish: unknown) => {
    const fieldId = valueIn(wish, 'field_id');
    if (typeof fieldId !== 'number')
      throw invalid({ resource: 'Issue', code: 'missing_field', field: 'issue_field_values' });
    return { fieldId, value: valueIn(wish, 'value') };
  });
}

/** The value of a chosen option is its id. */
function valueShape({ id, name, kind }: IssueField, value: FieldValue): Schemas['issue-field-value'] {
  const shape = { issue_field_id: id, issue_field_name: name, node_id: nodeId('IFV', id), data_type: kind };
  if (typeof value !== 'object') return { ...shape, value };
  if (kind === 'multi_select') return { ...shape, value: null, multi_select_options: value.map(optionShape) };
  const [option] = value;
  return option === undefined
    ? { ...shape, value: null }
    : { ...shape, value: option.id, single_select_option: optionShape(option) };
}

const optionShape = ({ id, name }: FieldOption) => ({ id, name, color: 'gray' });
