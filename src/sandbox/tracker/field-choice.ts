import { customDefaults } from './installation.ts';

/** Which fields a caller wants to see, as `include_fields` and `exclude_fields` say. */
export interface FieldChoice {
  /** Null takes the default fields. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

/** Names may be repeated, or separated by commas, spaces and plus signs. */
export function fieldChoice(include: readonly string[], exclude: readonly string[]): FieldChoice {
  const names = (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => text.split(/[\s,+]+/)).filter((name) => name !== '');
  const included = names(include);
  return { include: included.length === 0 ? null : included, exclude: names(exclude) };
}

export const everyField: FieldChoice = { include: null, exclude: [] };

/** True when a field is wanted, as a whole or in part (`cc.name`). */
export function isWanted(choice: FieldChoice, field: string): boolean {
  if (choice.exclude.includes(field)) return false;
  if (choice.include === null) return true;
  return choice.include.some((name) => name === field || name.startsWith(`${field}.`) || groupHas(name, field));
}

/** The parts of a field that are wanted (`real_name`); null for all of them. */
export function wantedParts(choice: FieldChoice, field: string): readonly string[] | null {
  const names = choice.include ?? [];
  const parts = names.filter((name) => name.startsWith(`${field}.`)).map((name) => name.slice(field.length + 1));
  return parts.length === 0 || names.includes(field) ? null : parts;
}

/** Keeps the wanted fields of a flat object. */
export function pickFields(choice: FieldChoice, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => isWanted(choice, field)));
}

const isCustom = (field: string): boolean => field in customDefaults;

function groupHas(name: string, field: string): boolean {
  return name === '_all' || name === '_default' || (name === '_custom' && isCustom(field));
}
