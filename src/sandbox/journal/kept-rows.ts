import type { RowChange, RowKey, TableKind } from './changed-rows.ts';

/** Tables that are rebuilt from the rows of a file, change by change. */
export interface KeptRows {
  /** Applies one change. Throws a `TypeError` that names the defect. */
  apply(change: unknown): void;
  /** Puts the tables into the state. Tables that the file lacks keep the content of the state. */
  restore(state: object): void;
}

export function keptRows(tables: Readonly<Record<string, TableKind>>): KeptRows {
  const kept = new Map(Object.entries(tables).map(([name, kind]) => [name, emptyTable(kind)]));
  return {
    apply(change) {
      if (!isChange(change)) throw new TypeError('it is not a changed row');
      const table = kept.get(change.table);
      if (table === undefined)
        throw new TypeError(`it speaks of "${change.table}", which the first line does not name`);
      put(table, change);
    },
    restore(state) {
      for (const [name, table] of kept) restoreTable(state, name, table);
    },
  };
}

type Table =
  | { readonly kind: 'map'; readonly rows: Map<RowKey, unknown> }
  | { readonly kind: 'list'; readonly rows: unknown[] }
  | { readonly kind: 'value'; row: unknown };

function emptyTable(kind: TableKind): Table {
  if (kind === 'map') return { kind, rows: new Map() };
  return kind === 'list' ? { kind, rows: [] } : { kind, row: null };
}

function put(table: Table, change: RowChange): void {
  const key = 'key' in change ? change.key : undefined;
  if ('index' in change) putElement(listOf(table, key), change.index, change.row);
  else if ('length' in change) listOf(table, key).splice(change.length);
  else if ('gone' in change) rowsOf(table).delete(change.key);
  else if (key !== undefined) rowsOf(table).set(key, change.row);
  else if (table.kind === 'value') table.row = change.row;
  else throw new TypeError('it does not say which row it means');
}

function rowsOf(table: Table): Map<RowKey, unknown> {
  if (table.kind === 'map') return table.rows;
  throw new TypeError('it names a key where there are none');
}

function listOf(table: Table, key: RowKey | undefined): unknown[] {
  const list =
    table.kind === 'list' && key === undefined ? table.rows : key === undefined ? null : rowsOf(table).get(key);
  if (Array.isArray(list)) return list;
  throw new TypeError('it speaks of a list that is not there');
}

function putElement(list: unknown[], index: number, row: unknown): void {
  if (index > list.length) throw new TypeError('it leaves a gap in a list');
  list[index] = row;
}

/** A setting that the file lacks keeps its default. */
function restoreTable(state: object, name: string, table: Table): void {
  const current: unknown = Reflect.get(state, name);
  if (table.kind === 'map' && current instanceof Map) {
    current.clear();
    for (const [key, row] of table.rows) current.set(key, row);
  } else if (table.kind === 'list') Reflect.set(state, name, table.rows);
  else if (table.kind === 'value')
    Reflect.set(state, name, isRecord(current) && isRecord(table.row) ? { ...current, ...table.row } : table.row);
}

function isChange(value: unknown): value is RowChange {
  if (!isRecord(value) || typeof value['table'] !== 'string') return false;
  const { key, index, length, gone } = value;
  const hasKey = typeof key === 'string' || typeof key === 'number';
  if (key !== undefined && !hasKey) return false;
  if (index !== undefined) return isPosition(index) && 'row' in value;
  if (length !== undefined) return isPosition(length);
  return gone === true ? hasKey : 'row' in value;
}

const isPosition = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data folder of a sandbox tracker is unusable; the message explains why, and what to do. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
}

/** Runs a file operation; if it fails, the error names the operation and the reason. */
export function saying<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && 'syscall' in cause)) throw cause;
    const why = reasons[String(cause.code)] ?? cause.message;
    throw new DataUnusable(
      `The sandbox cannot ${what}: ${why}. Put that right, or give it another folder with --data.`,
      { cause },
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any more',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'there is a file of that name',
};
