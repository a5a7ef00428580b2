/** How values become columns, and columns values: JSON, flags, and texts without secrets. */

import Database from 'better-sqlite3';
import type { Clean, Scrub } from '../model/runtime.ts';

type SqlValue = string | number | null;

/** How each column gets its value: the only place that names the columns. The database assigns `id`. */
export type Columns<T, Context> = Readonly<Record<string, (value: T, context: Context) => SqlValue>>;

/** A row with these columns. */
export type RowOf<C extends Columns<never, never>> = { readonly id: number } & {
  readonly [Name in keyof C]: ReturnType<C[Name]>;
};

/** Columns that are written with others: always when a record is added, and later when one of the others changes. */
type Following = Readonly<Record<string, { readonly others: readonly string[]; readonly value: string }>>;

/** The statements that write these columns. */
export function writesOf(table: string, columns: object, following: Following = {}) {
  const given = Object.keys(columns);
  const names = [...given, ...Object.keys(following)];
  const values = [...given.map((name) => `@${name}`), ...Object.values(following).map(({ value }) => value)];
  return {
    insert: `insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`,
    select: `select ${given.join(', ')} from ${table} where id = ?`,
    update(changed: readonly string[]): string {
      const followed = Object.entries(following).filter(([, { others }]) => others.some((of) => changed.includes(of)));
      const sets = [
        ...changed.map((name) => `${name} = @${name}`),
        ...followed.map(([name, { value }]) => `${name} = ${value}`),
      ];
      return `update ${table} set ${sets.join(', ')} where id = @id`;
    },
  };
}

/** The parameters of these statements. */
export const valuesOf = <T, Context>(
  columns: Columns<T, Context>,
  value: T,
  context: Context,
): Readonly<Record<string, SqlValue>> =>
  Object.fromEntries(Object.entries(columns).map(([name, of]) => [name, of(value, context)]));

export const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** Reads a JSON column. The type is not checked, because only this folder writes these columns. */
export function readJson<T>(text: string): T {
  const value: T = JSON.parse(text);
  return value;
}

export const readJsonOrNull = <T>(text: string | null): T | null => (text === null ? null : readJson<T>(text));

export const writeJsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The keys of records whose values are texts of users. */
const ofPeople = new Set([
  'before',
  'after',
  'overruled',
  'overwritten',
  'kept',
  'lost',
  'cutover',
  'tracker',
  'github',
]);

export const cleanOrNull = (scrub: Scrub, words: string | null): Clean | null =>
  words === null ? null : scrub.words(words);

/**
 * JSON without secrets. Scrubs each text, because removing a secret from finished JSON could remove a quote with it.
 */
export const cleanJson = (scrub: Scrub, value: object): Clean =>
  JSON.stringify(cleanValue(scrub, value, false)) as Clean;

function cleanValue(scrub: Scrub, value: unknown, isOfPeople: boolean): unknown {
  if (typeof value === 'string') return isOfPeople ? scrub.values(value) : scrub.words(value);
  if (Array.isArray(value)) return value.map((each: unknown) => cleanValue(scrub, each, isOfPeople));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(
    ([name, each]) => [name, cleanValue(scrub, each, isOfPeople || ofPeople.has(name))] as const,
  );
  return Object.fromEntries(pairs);
}

/** The record of a row; null if there is no row. */
export const recordOrNull = <Row, Record>(row: Row | undefined, recordOf: (row: Row) => Record): Record | null =>
  row === undefined ? null : recordOf(row);

interface RecordTexts<New, Saved> {
  /** The parameters of the statements. */
  values(record: New): Readonly<Record<string, SqlValue>>;
  /** The message when a unique value is taken. */
  taken(record: New): string;
  /** The name of a saved record in messages. */
  name(record: Saved): string;
}

/**
 * Adds and saves the records of a table. Both throw if a unique value is taken; `save`, if the record was removed. It
 * writes the columns that changed: SQLite writes each index of a column that is set, even to the same value.
 */
export function writerOf<New, Saved extends New & { readonly id: number }>(
  db: Database.Database,
  sql: ReturnType<typeof writesOf>,
  { values, taken, name }: RecordTexts<New, Saved>,
) {
  const insert = db.prepare(sql.insert);
  const select = db.prepare<[number], Readonly<Record<string, SqlValue>>>(sql.select);
  const updates = new Map<string, Database.Statement>();
  const updateOf = (changed: readonly string[]): Database.Statement => {
    const key = changed.join();
    const update = updates.get(key) ?? db.prepare(sql.update(changed));
    updates.set(key, update);
    return update;
  };
  return {
    /** Returns the id. */
    add(record: New): number {
      const { lastInsertRowid } = unlessTaken(
        () => taken(record),
        () => insert.run(values(record)),
      );
      return Number(lastInsertRowid);
    },
    save(record: Saved): void {
      const known = select.get(record.id);
      if (known === undefined) throw new Error(`${name(record)} cannot be saved: it was removed`);
      const wanted = values(record);
      const changed = Object.keys(known).filter((column) => known[column] !== wanted[column]);
      if (changed.length === 0) return;
      unlessTaken(
        () => taken(record),
        () => updateOf(changed).run({ ...wanted, id: record.id }),
      );
    },
  };
}

/** Runs `write`; if a unique value is already taken, the error says which one. */
export function unlessTaken<T>(what: () => string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
    throw new Error(what(), { cause: error });
  }
}

export interface Name {
  readonly name: string | null;
}

/** The names in a column, one by one: a list without repetitions would be made of all rows. */
export function namesOf(after: (last: string) => Name | undefined): readonly string[] {
  const names: string[] = [];
  for (let name = after(''); name?.name != null; name = after(name.name)) names.push(name.name);
  return names;
}
