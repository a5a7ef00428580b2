import type { Context } from '../../kernel/context.ts';
import { SideError } from '../../model/outcome.ts';
import type { PastChange } from '../../model/receipt.ts';

/**
 * All changes of these bugs, by bug and by time; a bug whose history cannot be read is missing. Throws `SideError`.
 */
export async function pastChanges(
  { tracker }: Pick<Context, 'tracker'>,
  bugs: readonly number[],
): Promise<ReadonlyMap<number, readonly PastChange[]>> {
  if (bugs.length === 0) return new Map();
  try {
    const { changes, unread } = await tracker.history(bugs, 0);
    const read = bugs.filter((bug) => !unread.includes(bug));
    return new Map(
      read.map((bug) => [bug, changes.filter(({ ref }) => ref === bug).toSorted((one, other) => one.at - other.at)]),
    );
  } catch (failure) {
    if (!(failure instanceof SideError) || failure.kind !== 'refused') throw failure;
    return new Map();
  }
}
