import type { TrackerBug, TrackerState } from '../../../src/sandbox/tracker/world/state.ts';

const tables = ['bugs', 'comments', 'history', 'attachments', 'events', 'tokens'] as const;
const lists = ['users', 'products', 'keywords', 'customFields'] as const;
const plain = [
  ...(['settings', 'past', 'loginFailures', 'auditedAt', 'timeZone', 'maxSearchResults', 'needsDescription'] as const),
  ...(['nextBug', 'nextComment', 'nextEvent', 'nextAttachment', 'nextFlag', 'nextToken'] as const),
];
type Table = (typeof tables)[number];

/**
 * All that a tracker held at one moment. Rows are never changed in place, so that they need not be copied; being
 * frozen, they cannot be.
 */
export interface Snapshot {
  readonly tables: Readonly<Record<Table, ReadonlyMap<unknown, unknown>>>;
  readonly rest: ReadonlyMap<string, unknown>;
  readonly bugs: ReadonlyMap<number, TrackerBug>;
}

export function snapshotOf(state: TrackerState): Snapshot {
  const copies = Object.fromEntries(tables.map((name) => [name, new Map<unknown, unknown>(state[name])])) as Record<
    Table,
    Map<unknown, unknown>
  >;
  const rest = new Map<string, unknown>([
    ...lists.flatMap((name) => [
      [`${name}.length`, state[name].length] as const,
      ...[...state[name]].map((row, at) => [`${name}.${at}`, row] as const),
    ]),
    ...plain.map((name) => [name, state[name]] as const),
  ]);
  return { tables: copies, rest, bugs: new Map(state.bugs) };
}

/** What differs: keys by table, and the names of everything else. */
export interface Difference {
  readonly rows: Readonly<Record<Table, readonly unknown[]>>;
  readonly rest: readonly string[];
}

export function difference(before: Snapshot, after: Snapshot): Difference {
  const rows = Object.fromEntries(
    tables.map((name) => [name, changedKeys(before.tables[name], after.tables[name])]),
  ) as Difference['rows'];
  return { rows, rest: changedKeys(before.rest, after.rest).map(String) };
}

function changedKeys(before: ReadonlyMap<unknown, unknown>, after: ReadonlyMap<unknown, unknown>): readonly unknown[] {
  const changed = [...after]
    .filter(([key, value]) => before.get(key) !== value || !before.has(key))
    .map(([key]) => key);
  return [...changed, ...[...before.keys()].filter((key) => !after.has(key))];
}

/** In words, for messages: `bugs 3`, `nextBug`. */
export const inWords = ({ rows, rest }: Difference): readonly string[] => [
  ...tables.flatMap((table) => rows[table].map((key) => `${table} ${String(key)}`)),
  ...rest,
];

/** Makes every row of a tracker one that cannot be changed in place: whoever tries fails, and the answer tells. */
export function freezeRows(state: TrackerState): void {
  for (const name of tables) for (const row of state[name].values()) freeze(row);
  for (const name of lists) for (const row of state[name]) freeze(row);
  for (const row of [state.settings, state.past, state.loginFailures]) freeze(row);
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
