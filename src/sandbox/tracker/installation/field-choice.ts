/** The fields that a caller wants, from `include_fields` and `exclude_fields`. */
export interface FieldChoice {
  /** Null means the default fields. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Kinds of fields. An underscore before the kind selects all of them: `_default`, `_custom`, `_extra`, and `_all`. */
export type FieldKind = 'default' | 'custom' | 'extra';

/** Names may be separated by commas, spaces and plus signs. If the parameter is repeated, each is one name. */
export function fieldChoice(include: readonly string[], exclude: readonly string[]): FieldChoice {
  const names = (texts: readonly string[]): readonly string[] =>
    texts.length > 1 ? texts : texts.flatMap((text) => text.split(/[\s,+]/)).filter((name) => name !== '');
  const included = names(include);
  return { include: included.length === 0 ? null : included, exclude: names(exclude) };
}

/** True if a field is wanted, as a whole or in part (`cc.name`). A field that is excluded by name or kind stays out. */
export function isWanted(choice: FieldChoice, field: string, kinds: readonly FieldKind[] = kindsOf(field)): boolean {
  const decided = decision(choice, field, kinds);
  return decided ?? (choice.include ?? []).some((name) => name.startsWith(`${field}.`));
}

/** True if a part of a field (`cc.real_name`) is wanted: on its own, or because the field is. */
export function isPartWanted(choice: FieldChoice, field: string, part: string): boolean {
  return decision(choice, `${field}.${part}`, ['default']) ?? (choice.include ?? []).includes(field);
}

/** Keeps the wanted fields of a flat object. */
export function pickFields(choice: FieldChoice, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => isWanted(choice, field)));
}

/** Keeps the wanted parts of an element of a field: `components.name`. */
export function pickParts(
  choice: FieldChoice,
  field: string,
  object: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([part]) => isPartWanted(choice, field, part)));
}

/** What names and kinds decide for a field, names first; undefined if they decide nothing. */
function decision({ include, exclude }: FieldChoice, field: string, kinds: readonly FieldKind[]): boolean | undefined {
  if (exclude.includes(field)) return false;
  if (include?.includes(field)) return true;
  const included = include ?? ['_default'];
  for (const kind of ['all', ...kinds]) {
    if (exclude.includes(`_${kind}`)) return false;
    if (included.includes(`_${kind}`)) return true;
  }
  return undefined;
}

/** Custom fields belong to the default fields. */
const kindsOf = (field: string): readonly FieldKind[] =>
  field.startsWith('cf_') ? ['custom', 'default'] : ['default'];
