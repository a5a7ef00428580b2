import type { Operation, OperationKind } from '../../model/plan/operation.ts';
import type { Cost } from '../../model/runtime.ts';
import { comment } from './comment.ts';
import { create } from './create.ts';
import { erase } from './erase.ts';
import { file } from './file.ts';
import { lock } from './lock.ts';
import { minimize } from './minimize.ts';
import { point } from './point.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { remark } from './remark.ts';
import { rewrite } from './rewrite.ts';
import type { OperationTraits } from './traits.ts';
import { update } from './update.ts';

/** It does not compile while a kind is missing. People read the totals of a plan in this order. */
export const operations: { readonly [Kind in OperationKind]: OperationTraits<Kind> } = {
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

export const traitsOf = <Kind extends OperationKind>({ kind }: Operation<Kind>): OperationTraits<Kind> =>
  operations[kind];

export const isOperation = (kind: string): kind is OperationKind => Object.hasOwn(operations, kind);

/** What an operation costs its side. */
export const costOf = (operation: Operation): Cost =>
  operation.kind === 'update' && operation.isContent === true
    ? 'create'
    : operations[operation.kind].cost[operation.on];

/** How much content it creates: each dependency that it adds or removes takes a request of its own. */
export function creationsOf(operation: Operation): number {
  if (costOf(operation) !== 'create') return 0;
  if (operation.kind !== 'update') return 1;
  const [wanted, present] = [[...(operation.target.dependsOn ?? [])], [...(operation.replaces.dependsOn ?? [])]];
  const isInOne = (each: string): boolean => wanted.includes(each) !== present.includes(each);
  return Math.max(1, [...wanted, ...present].filter(isInOne).length);
}
