import type { TrackerState } from './state.ts';

/** What a transaction of the tracker's database holds. The numbers that were given out are not given again. */
const tables = ['bugs', 'comments', 'history', 'events', 'attachments'] as const;

/**
 * Does a write and undoes it, whose answer stands all the same. So do harmony and BMO with one of two writes of one account at the same
 * time: a deadlock rolls the transaction back, and nobody hears of it (measured).
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
