import type { FieldKind, FieldOption, IssueField, Organisation } from './records.ts';

export interface FieldDraft {
  readonly name: string;
  readonly kind: FieldKind;
  /** Names of what may be chosen. */
  readonly options?: readonly string[];
  readonly isForMembers?: boolean;
}

/** Logins that do not belong to the organisation, and those that may not list its fields. */
export interface FieldSight {
  readonly outsiders?: readonly string[];
  readonly unlisted?: readonly string[];
}

interface Founding {
  readonly before: Organisation | undefined;
  readonly nextId: () => number;
}

/** Fields and options keep their ids as long as they keep their names. */
export function organisationWith(
  drafts: readonly FieldDraft[],
  { outsiders = [], unlisted = [] }: FieldSight,
  { before, nextId }: Founding,
): Organisation {
  const fields = drafts.map(({ name, kind, options = [], isForMembers = false }): IssueField => {
    const known = before?.fields.find((field) => field.name === name && field.kind === kind);
    const optionNamed = (option: string): FieldOption =>
      known?.options.find((each) => each.name === option) ?? { id: nextId(), name: option };
    return { id: known?.id ?? nextId(), name, kind, isForMembers, options: options.map(optionNamed) };
  });
  return { fields, outsiders: new Set(outsiders), unlisted: new Set(unlisted) };
}
