import type { OutboxRow } from '../model/store.ts';
import type { Context, Result } from './context.ts';

/** Says what became of an operation. */
export function tellDone(context: Context, { operation, attempts }: OutboxRow, result: Result, ms: number): void {
  context.tell({ kind: 'done', route: context.route.name, operation, result, ms, attempt: attempts + 1 });
}
