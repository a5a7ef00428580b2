import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';

/**
 * Has GitHub read from end to end again before anything is made there. Imported issues bear the dates of their bugs, so that no list
 * of changes ever shows them.
 */
export function rereadGithub({ store, route }: Context): void {
  const row = store.cursors.get(route.name, 'github');
  if (row !== null) store.cursors.put(route.name, 'github', { ...row, changes: null, listing: null, isComplete: false });
}

/** How long GitHub may take over an import before it is looked for as if it had been lost. */
export const importMs = 3_600_000;

/** A request that left as an import: until this time it is for `migrate` alone to find out what became of it. */
export const isImport = ({ state, notBeforeAt }: OutboxRow): boolean => state === 'sent' && notBeforeAt !== null;
