import type { Context, Performed, RouteState } from '../../../kernel/context.ts';
import { dropOperation, receiptOf, saveReceipt, withoutVain } from '../../../kernel/outbox.ts';
import type { Operation, OperationKind } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { traitsOf } from '../../../rules/operations/operations.ts';
import { recordFailure } from '../record-failure.ts';
import { comment } from './comment.ts';
import { create } from './create.ts';
import { erase } from './erase.ts';
import { file } from './file.ts';
import type { OperationHandler } from './handler.ts';
import { lock } from './lock.ts';
import { minimize } from './minimize.ts';
import { point } from './point.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { remark } from './remark.ts';
import { rewrite } from './rewrite.ts';
import { update } from './update.ts';

/** It does not compile while a kind is missing. */
const performing: { readonly [Kind in OperationKind]: OperationHandler<Kind> } = {
  create,
  comment,
  update,
  point,
  file,
  rewrite,
  erase,
  minimize,
  remark,
  pull,
  push,
  lock,
};

export const handlerOf = <Kind extends OperationKind>({ kind }: Operation<Kind>): OperationHandler<Kind> =>
  performing[kind];

/**
 * Performs one operation. The intention and its cost are stored before the request leaves, so that a crash leads
 * neither to a second request nor to a forgotten one.
 */
export async function performOne(context: Context, row: OutboxRow): Promise<Performed> {
  const { operation } = row;
  const link = context.store.links.byId(operation.link);
  if (link === null || link.state !== 'live') return dropOperation(context, operation);
  const why = whyInVain(context, operation);
  if (why !== null) return recordFailure(context, row, { kind: 'refused', why });
  return handlerOf(operation).perform(context, row, link, operation);
}

/**
 * Why an operation is given up after the tracker has reported it as stored several times without ever showing it; null
 * when it is not given up. A retry starts counting from zero.
 */
function whyInVain({ store, limits }: RouteState, operation: Operation): string | null {
  const { on, link, key } = operation;
  const receipt = receiptOf(store, link);
  const tries = receipt.vain[key] ?? 0;
  if (on === 'github' || tries < limits.attempts) return null;
  saveReceipt(store, withoutVain(receipt, [key]));
  return `the tracker reported ${tries} times that it had stored ${traitsOf(operation).unshown(operation)}, but never showed it`;
}
