import { numberAt, rowsOf, textAt, valueAt } from './value.ts';

/** A field for issues, with an option if it has options. */
export interface FieldOfHome {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly option: string | null;
}

/** What GraphQL is asked for the fields of a repository. */
export function fieldsQuery({ owner, repo }: { readonly owner: string; readonly repo: string }): string {
  const fragments = ['Text', 'Number', 'Date', 'SingleSelect', 'MultiSelect'].map((kind) => {
    const options = kind.endsWith('Select') ? ' options { name }' : '';
    return `... on IssueField${kind} { fullDatabaseId name dataType${options} }`;
  });
  const nodes = `issueFields(first: 100) { nodes { ${fragments.join(' ')} } }`;
  return `query { repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(repo)}) { ${nodes} } }`;
}

/** The fields in its answer. */
export const fieldsShown = (data: unknown): readonly FieldOfHome[] =>
  rowsOf(valueAt(data, 'data.repository.issueFields.nodes')).map((node) => ({
    id: Number(valueAt(node, 'fullDatabaseId')),
    name: textAt(node, 'name'),
    kind: textAt(node, 'dataType').toLowerCase(),
    option: optionOf(node),
  }));

/** The fields in REST's list of an organisation. */
export const fieldsListed = (data: unknown): readonly FieldOfHome[] =>
  rowsOf(data).map((row) => ({
    id: numberAt(row, 'id'),
    name: textAt(row, 'name'),
    kind: textAt(row, 'data_type'),
    option: optionOf(row),
  }));

const optionOf = (field: unknown): string | null => textAt(rowsOf(valueAt(field, 'options'))[0], 'name') || null;
