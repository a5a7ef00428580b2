import type { Operation } from '../model/operation.ts';
import type { Context } from './context.ts';
import { receiptOf, saveReceipt, withoutVain } from './receipts.ts';

/**
 * Why an operation is given up that the tracker has said so many times to have done, without ever showing it; null when it is not. Whoever
 * tries again begins to count anew.
 */
export function whyInVain({ store, limits }: Context, operation: Operation): string | null {
  const { on, link, key } = operation;
  const receipt = receiptOf(store, link);
  const tries = receipt.vain[key] ?? 0;
  if (on === 'github' || tries < limits.attempts) return null;
  saveReceipt(store, withoutVain(receipt, [key]));
  return `the tracker said ${tries} times that it had stored ${whatOf(operation)}, but shows none of it`;
}

function whatOf(operation: Operation): string {
  if (operation.kind === 'update') return Object.keys(operation.target).join(', ');
  if (operation.kind === 'point') return 'the address of the issue';
  return operation.kind === 'file' ? `the file ${operation.name}` : 'the comment';
}
