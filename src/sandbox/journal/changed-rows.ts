/**
 * Finds the changes of a request in a state of tables, without knowing the tables. A table is a field of the state:
 *
 *   map     rows by key (numbers or texts); a row may itself be a list of rows
 *   list    rows by position
 *   value   anything else that JSON can hold
 *
 * Rows are plain JSON and are replaced, never changed in place, so a row that is still the same object is the same row.
 * Values are small and are compared by their text.
 */

import { WatchedMap } from './watched-map.ts';

export type TableKind = 'map' | 'list' | 'value';
export type RowKey = string | number;

/** One change; it is idempotent. */
export type RowChange =
  | { readonly table: string; readonly row: unknown }
  | { readonly table: string; readonly key: RowKey; readonly row: unknown }
  | { readonly table: string; readonly key: RowKey; readonly gone: true }
  /** A row of a list; if the list is itself a row of a map, `key` names it. */
  | { readonly table: string; readonly key?: RowKey; readonly index: number; readonly row: unknown }
  /** The list has become shorter. */
  | { readonly table: string; readonly key?: RowKey; readonly length: number };

export interface ChangeFinder {
  /** The kind of each table, for later readers of the rows. */
  readonly tables: Readonly<Record<string, TableKind>>;
  /** All rows. */
  all(): Iterable<RowChange>;
  /** The rows that changed since the last call, or since the finder was made. */
  changes(): readonly RowChange[];
}

/**
 * Watches a state from now on; watched maps replace its maps, with the same rows. Throws for a field of no kind above,
 * which then belongs in `ignored`.
 */
export function findChanges(state: object, ignored: readonly string[]): ChangeFinder {
  const tables = tablesOf(state, ignored);
  const finders = Object.entries(tables).map(([table, kind]) => finderOf[kind](state, table));
  return {
    tables,
    *all() {
      for (const [table, kind] of Object.entries(tables)) yield* allRows(table, kind, fieldOf(state, table));
    },
    changes: () => finders.flatMap((changed) => changed()),
  };
}

/** The tables of a state, with their kinds. */
export function tablesOf(state: object, ignored: readonly string[]): Readonly<Record<string, TableKind>> {
  const names = Object.keys(state).filter((name) => !ignored.includes(name));
  return Object.fromEntries(names.map((name) => [name, kindOf(name, fieldOf(state, name))]));
}

function kindOf(table: string, value: unknown): TableKind {
  if (value instanceof Map) return 'map';
  if (Array.isArray(value)) return 'list';
  const isPlain = typeof value !== 'object' || value === null || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || ['function', 'symbol', 'bigint', 'undefined'].includes(typeof value)) {
    throw new TypeError(
      `The field "${table}" of the state can neither be kept in a file nor is it named as one that is not kept.`,
    );
  }
  return 'value';
}

const fieldOf = (state: object, name: string): unknown => Reflect.get(state, name);

const finderOf: Readonly<Record<TableKind, (state: object, table: string) => () => readonly RowChange[]>> = {
  map(state, table) {
    const watched = WatchedMap.of<unknown, unknown>(mapOf(state, table));
    // Replacing the map would go unnoticed, so it is refused.
    Object.defineProperty(state, table, { value: watched, writable: false, enumerable: true });
    return () =>
      [...watched.takeTouched()].flatMap(([key, before]) =>
        rowChanges(table, keyOf(table, key), before, watched.get(key)),
      );
  },
  list(state, table) {
    let before: readonly unknown[] = [...listOf(state, table)];
    return () => {
      const now = listOf(state, table);
      const changes = elementChanges({ table }, before, now);
      if (changes.length > 0) before = [...now];
      return changes;
    };
  },
  value(state, table) {
    let before = JSON.stringify(fieldOf(state, table));
    return () => {
      const row = fieldOf(state, table);
      const text = JSON.stringify(row);
      if (text === before) return [];
      before = text;
      return [{ table, row }];
    };
  },
};

function* allRows(table: string, kind: TableKind, content: unknown): Iterable<RowChange> {
  if (content instanceof Map) for (const [key, row] of content) yield { table, key: keyOf(table, key), row };
  else if (kind === 'list' && Array.isArray(content))
    for (const [index, row] of content.entries()) yield { table, index, row };
  else yield { table, row: content };
}

function rowChanges(table: string, key: RowKey, before: unknown, now: unknown): readonly RowChange[] {
  if (before === now) return [];
  // A long list with one new element costs no more than a short one.
  const isList = Array.isArray(before) && Array.isArray(now);
  if (isList) return elementChanges({ table, key }, before, now);
  return [now === undefined ? { table, key, gone: true } : { table, key, row: now }];
}

function elementChanges(
  list: { readonly table: string; readonly key?: RowKey },
  before: readonly unknown[],
  now: readonly unknown[],
): readonly RowChange[] {
  if (before === now) return [];
  const changes = now.flatMap((row, index): readonly RowChange[] =>
    row === before[index] ? [] : [{ ...list, index, row }],
  );
  return now.length < before.length ? [...changes, { ...list, length: now.length }] : changes;
}

function keyOf(table: string, key: unknown): RowKey {
  if (typeof key === 'string' || typeof key === 'number') return key;
  throw new TypeError(`The map "${table}" of the state has a key that is neither a text nor a number.`);
}

function mapOf(state: object, table: string): ReadonlyMap<unknown, unknown> {
  const map = fieldOf(state, table);
  if (map instanceof Map) return map;
  throw new TypeError(`The field "${table}" of the state was a map and is none any more.`);
}

function listOf(state: object, table: string): readonly unknown[] {
  const list = fieldOf(state, table);
  if (Array.isArray(list)) return list;
  throw new TypeError(`The field "${table}" of the state was a list and is none any more.`);
}
