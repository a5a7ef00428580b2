import type { Operation, OperationKind } from './operation.ts';

/** One function for each kind of operation. It does not compile while a kind is missing. */
export type PerKind<Result, With extends readonly unknown[] = []> = {
  readonly [Kind in OperationKind]: (...args: [...With, Operation<Kind>]) => Result;
};

/** Calls the table's function for the kind of an operation. */
export const byKind = <Kind extends OperationKind, Result, With extends readonly unknown[]>(
  table: PerKind<Result, With>,
  operation: Operation<Kind>,
  ...args: With
): Result => table[operation.kind](...args, operation);
