/** Which fields a caller wants to see, as `include_fields` and `exclude_fields` say. */
export interface FieldChoice {
  /** Null takes the default fields. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Kinds of fields, of which a caller can ask for all with an underscore before: `_default`, `_custom`, `_extra`, and `_all` for each. */
export type FieldKind = 'default' | 'custom' | 'extra';

/** Names may be separated by commas, spaces and plus signs; or be repeated, and then each is one name. */
export function fieldChoice(include: readonly string[], exclude: readonly string[]): FieldChoice {
  const names = (texts: readonly string[]): readonly string[] =>
    texts.length > 1 ? texts : texts.flatMap((text) => text.split(/[\s,+]/)).filter((name) => name !== '');
  const included = names(include);
  return { include: included.length === 0 ? null : included, exclude: names(exclude) };
}

/** True when a field is wanted, as a whole or in part (`cc.name`). What is left out by its name, or with its kind, stays out. */
export function isWanted(choice: FieldChoice, field: string, kinds: readonly FieldKind[] = kindsOf(field)): boolean {
  const decided = decision(choice, field, kinds);
  return decided ?? (choice.include ?? []).some((name) => name.startsWith(`${field}.`));
}

/** True when a part of a field (`cc.real_name`) is wanted: by itself, or because the field is. */
export function isPartWanted(choice: FieldChoice, field: string, part: string): boolean {
  return decision(choice, `${field}.${part}`, ['default']) ?? (choice.include ?? []).includes(field);
}

/** Keeps the wanted fields of a flat object. */
export function pickFields(choice: FieldChoice, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => isWanted(choice, field)));
}

/** What names and kinds say of a field, names first; undefined when they say nothing. */
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

/** Custom fields are among the default ones. */
const kindsOf = (field: string): readonly FieldKind[] => (field.startsWith('cf_') ? ['custom', 'default'] : ['default']);
