import { brake, type Refusal } from '../core/brake.ts';
import type { LinkId } from '../model/ids.ts';
import type { Operation, Plan } from '../model/operation.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { look } from './cycle.ts';
import { note } from './note.ts';

export interface Preview {
  /** What the next cycle sets out to do, in its order. */
  readonly operations: readonly Operation[];
  /** What is wanted and yet not done: given up before, or to be tried again later. */
  readonly held: readonly OutboxRow[];
  /** How much is wanted beyond what one cycle may write. */
  readonly left: number;
  readonly conflicts: Plan['conflicts'];
  readonly skips: Plan['skips'];
  /** Why the next cycle would do nothing of this unless it is forced; null when it would. */
  readonly refusal: Refusal | null;
}

/**
 * A cycle up to its first write. Everything that is remembered on the way goes into the context's store, so that must be a copy.
 * Throws `SideError`.
 */
export async function previewOf(context: Context): Promise<Preview> {
  const { store, route, limits, clock } = context;
  const wanted = await look(context);
  const { plan, operations } = wanted;
  const refusal = brake(plan, wanted.links, limits.brakeShare);
  note(context, wanted);
  const planned = new Set(operations.map(({ key }) => key));
  const due = store.outbox.due(route.name, clock.now()).map(({ operation }) => operation);
  const begun = due.filter(({ key }) => planned.has(key));
  const taken = new Set(withEnds(context, begun).map(({ key }) => key));
  const rows = operations.filter(({ key }) => !taken.has(key)).map(({ key }) => store.outbox.get(key));
  return {
    operations: begun.filter(({ key }) => taken.has(key)),
    held: rows.filter((row) => row !== null),
    left: plan.operations.length - operations.length,
    conflicts: plan.conflicts,
    skips: plan.skips,
    refusal,
  };
}

/** What follows a counterpart that is not made now has nothing to be written to. */
function withEnds({ store }: Context, operations: readonly Operation[]): readonly Operation[] {
  const made = new Set<LinkId>(operations.filter(({ kind }) => kind === 'create').map(({ link }) => link));
  return operations.filter((operation) => {
    const link = store.links.byId(operation.link);
    const isWhole = link !== null && link.bug !== null && link.issue !== null;
    return isWhole || made.has(operation.link);
  });
}
