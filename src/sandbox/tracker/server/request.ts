import { failedAt } from './errors.ts';
import type { CodeLocation } from './messages.ts';

/** The body of a write, as received. The server accepts most types, and fails on the others. */
export type Request = Readonly<Record<string, unknown>>;

/** A text argument; undefined if it is absent. Numbers and booleans count as text. */
export function textOf(request: Request, name: string): string | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (value === null) return '';
  return Array.isArray(value) ? value.map(scalarText).join(', ') : scalarText(value);
}

/** A single value as a text. Lists and objects become empty; the server would show their memory address. */
export const scalarText = (value: unknown): string =>
  value === undefined || typeof value === 'object' ? '' : String(value);

/** A boolean as the server reads it: the text "false" is true. */
export function flagOf(request: Request, name: string): boolean | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  return !(value === null || value === false || value === 0 || value === '' || value === '0');
}

/** A list argument on create: a list, or a text with commas between the elements. */
export function listOf(request: Request, name: string): readonly string[] | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  return words(value);
}

export interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Replaces the whole list; null if only single elements change. */
  readonly set: readonly string[] | null;
}

/** Where the real server fails for a list argument of the wrong kind, and for lists in it of the wrong kind. */
const placeOf = (name: string): CodeLocation =>
  isRelation(name) ? 'relation' : name === 'keywords' ? 'keywords' : 'list';
const placeInside = (name: string): CodeLocation => (isRelation(name) ? 'relations' : 'list');
const isRelation = (name: string): boolean => name === 'depends_on' || name === 'blocks';

/**
 * A list argument on update, which must be an object: anything else is an internal failure with a success status. `add`
 * and `remove` must be lists; for keywords, texts work too.
 */
export function listChangeOf(request: Request, name: string): ListChange | undefined {
  const value = request[name];
  if (value === undefined || value === null) return undefined;
  const change = hashOf(value, placeOf(name));
  const elements = (action: string): readonly string[] =>
    name === 'keywords' ? words(change[action]) : listIn(change[action], placeInside(name));
  return {
    add: elements('add'),
    remove: elements('remove'),
    set: change['set'] === undefined ? null : words(change['set']),
  };
}

/** An argument that the server uses as a hash without a check. */
export function hashOf(value: unknown, place: CodeLocation): Request {
  if (typeof value === 'string' || typeof value === 'number') {
    throw failedAt(
      `Can't use string ("${String(value).slice(0, 32)}") as a HASH ref while "strict refs" in use`,
      place,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failedAt('Not a HASH reference', place);
  return value as Request;
}

function listIn(value: unknown, place: CodeLocation): readonly string[] {
  if (Array.isArray(value)) return filled(value);
  if (value === undefined || value === null || value === false || value === 0 || value === '') return [];
  if (typeof value === 'object' || typeof value === 'boolean') throw failedAt('Not an ARRAY reference', place);
  throw failedAt(
    `Can't use string ("${String(value).slice(0, 32)}") as an ARRAY ref while "strict refs" in use`,
    place,
  );
}

const words = (value: unknown): readonly string[] =>
  filled(
    Array.isArray(value)
      ? value
      : scalarText(value)
          .trim()
          .split(/[\s,]+/),
  );

/** Empty elements are ignored. */
const filled = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => scalarText(value).trim()).filter((text) => text !== '');
