import type { Family } from './case.ts';
import { connection } from './cases/connection.ts';
import { lists } from './cases/lists.ts';
import { moves } from './cases/moves.ts';

/** All cases, in the order in which they run. */
export const families: readonly Family[] = [connection, lists, moves];
