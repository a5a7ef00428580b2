import type { Operation, OperationKind } from './operation.ts';

/** What is done, or said, of each kind of operation. It does not compile while a kind is missing. */
export type PerKind<Result, With extends readonly unknown[] = []> = {
  readonly [Kind in OperationKind]: (...args: [...With, Operation<Kind>]) => Result;
};

/** The one way from an operation to what its kind asks for. */
export const byKind = <Kind extends OperationKind, Result, With extends readonly unknown[]>(
  table: PerKind<Result, With>,
  operation: Operation<Kind>,
  ...args: With
): Result => table[operation.kind](...args, operation);
