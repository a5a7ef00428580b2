import { internalFailure } from './errors.ts';

/** The body of a write, as it came. The server is forgiving about types, and falls over where it is not. */
export type Request = Readonly<Record<string, unknown>>;

/** A text argument; undefined when it is absent. Numbers and booleans read as text. */
export function textOf(request: Request, name: string): string | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (value === null) return '';
  return typeof value === 'object' ? (Array.isArray(value) ? value.map(String).join(', ') : '') : String(value);
}

/** Truth as the server sees it: the text "false" is true. */
export function flagOf(request: Request, name: string): boolean | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  return !(value === null || value === false || value === 0 || value === '' || value === '0');
}

/** A list argument on create: a list, or a text with commas. */
export function listOf(request: Request, name: string): readonly string[] | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return value.map(String);
  return String(value ?? '')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

export interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Replaces the whole list; null when only single elements change. */
  readonly set: readonly string[] | null;
}

/** A list argument on update, which must be an object: anything else makes the server fail inside, with a success status. */
export function listChangeOf(request: Request, name: string): ListChange | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value)) throw internalFailure('Not a HASH reference at bugzilla/Bugzilla/Bug.pm line 2492.\n');
  if (typeof value !== 'object' || value === null) {
    throw internalFailure(
      `Can't use string ("${String(value)}") as a HASH ref while "strict refs" in use at bugzilla/Bugzilla/Bug.pm line 2492.\n`,
    );
  }
  const change = value as Request;
  return {
    add: elements(change['add']),
    remove: elements(change['remove']),
    set: change['set'] === undefined ? null : elements(change['set']),
  };
}

const elements = (value: unknown): readonly string[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
};
