import { brake, type Refusal } from '../core/brake.ts';
import type { Operation } from '../model/operation.ts';
import type { OutboxRow } from '../model/store.ts';
import type { Context } from './context.ts';
import { look } from './cycle.ts';
import { note } from './note.ts';

export interface Preview {
  /** What the next cycle sets out to do, in its order. */
  readonly operations: readonly Operation[];
  /** What is wanted, and waits because its time has not come. What is parked is not here. */
  readonly waiting: readonly OutboxRow[];
  /** How much could be done and exceeds what one cycle may write. */
  readonly left: number;
  /** Why the next cycle would do nothing of this unless it is forced; null when it would. */
  readonly refusal: Refusal | null;
}

/**
 * A cycle up to its first write. Everything that is remembered on the way goes into the context's store, so that must be a copy.
 * Throws `SideError`.
 */
export async function previewOf(context: Context): Promise<Preview> {
  const { store, limits } = context;
  const wanted = await look(context);
  const refusal = brake(wanted.plan, wanted.links, limits.brakeShare);
  note(context, wanted);
  const rows = wanted.held.flatMap(({ key }) => store.outbox.get(key) ?? []);
  return {
    operations: wanted.operations,
    waiting: rows.filter(({ state }) => state === 'planned'),
    left: wanted.ready.length - wanted.operations.length,
    refusal,
  };
}
