import type { Operation } from '../model/operation.ts';

const rank: Readonly<Record<Operation['kind'], number>> = { create: 0, point: 1, comment: 2, update: 3 };

/**
 * The order in which operations wait: within a link, a counterpart exists before anything is written to it, and a bug is
 * closed after what was said about it. Between links the order of the plan is kept; it carries no meaning.
 */
export function order(operations: readonly Operation[]): readonly Operation[] {
  const positions = new Map<number, number>();
  for (const { link } of operations) if (!positions.has(link)) positions.set(link, positions.size);
  const place = ({ link }: Operation) => positions.get(link) ?? 0;
  return operations
    .map((operation, index) => ({ operation, index }))
    .sort(
      (one, other) =>
        place(one.operation) - place(other.operation) || rank[one.operation.kind] - rank[other.operation.kind] || one.index - other.index,
    )
    .map(({ operation }) => operation);
}

/** The operations of whole links, in order, as long as they fit into what one cycle may write. */
export function withinLimit(operations: readonly Operation[], writesMax: number): readonly Operation[] {
  return operations.slice(0, writesMax);
}
