import type { Stuck } from '../model/route-status.ts';
import { writesInWords } from './words.ts';

/** Parked writes of one kind to one item, for one reason: forty comments of a bug are one thing to look at. */
export interface ParkedGroup {
  readonly first: Stuck;
  /** The numbers to give to `retry`. */
  readonly numbers: readonly number[];
  /** `copy a comment`, or `40 comments to copy` */
  readonly what: string;
}

/** In the order of the first of each. */
export function groupParked(parked: readonly Stuck[]): readonly ParkedGroup[] {
  const groups = Map.groupBy(parked, ({ operation: { link, on, kind }, why }) => JSON.stringify([link, on, kind, why]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const numbers = [first, ...others].map(({ number }) => number);
    return [{ first, numbers, what: writesInWords([first.operation, ...others.map(({ operation }) => operation)]) }];
  });
}
