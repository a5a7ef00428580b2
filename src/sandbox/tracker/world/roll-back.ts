import type { TrackerState } from './state.ts';

/** The tables of a database transaction. Numbers that were assigned are not assigned again. */
const tables = ['bugs', 'comments', 'history', 'events', 'attachments'] as const;

/**
 * Does a write, answers it as done, and undoes it. If an account sends two writes at the same time, harmony and BMO do
 * this to one of them: a deadlock rolls the transaction back without an error (measured).
 */
export function rolledBack<T>(state: TrackerState, work: () => T): T {
  const before = tables.map((name) => {
    const table: Map<number, unknown> = state[name];
    return [table, new Map(table)] as const;
  });
  const { past } = state;
  try {
    return work();
  } finally {
    for (const [table, rows] of before) restore(table, rows);
    state.past = past;
  }
}

function restore(table: Map<number, unknown>, rows: ReadonlyMap<number, unknown>): void {
  for (const key of [...table.keys()]) if (!rows.has(key)) table.delete(key);
  for (const [key, row] of rows) if (table.get(key) !== row) table.set(key, row);
}
