import type { Operation } from '../model/operation.ts';
import type { OutboxRow } from '../model/store.ts';

const rank: Readonly<Record<Operation['kind'], number>> = {
  file: 0,
  create: 1,
  point: 2,
  comment: 3,
  rewrite: 3,
  erase: 3,
  minimize: 4,
  remark: 4,
  update: 5,
  lock: 6,
};

/**
 * The order in which operations wait: within a link, files stand before a text links to them, a counterpart exists before anything is written to it, and a bug is
 * closed after what was said about it. What a change is explained by comes before it, as nothing would show afterwards that it is wanted. Between links the order of the plan is kept; it carries no meaning.
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

/** As many operations as one cycle may write. */
export const withinLimit = (operations: readonly Operation[], writesMax: number): readonly Operation[] => operations.slice(0, writesMax);

export interface Ready {
  /** What may be carried out now, in order. */
  readonly ready: readonly Operation[];
  /** What is parked or waits for its time: kept, but not counted against what a cycle may write. */
  readonly held: readonly Operation[];
}

/**
 * Parts what can be carried out from what cannot, so that a link that fails takes nobody's turn. Behind an operation that
 * waits, and behind a counterpart that cannot be made, the rest of the link waits too; behind a parked comment it does not. But what was
 * parked because it was put off for too long keeps its place in the thread: later comments wait behind it.
 * @param operations in order
 * @param rowOf what stands in the outbox under a key
 */
export function partHeld(operations: readonly Operation[], rowOf: (key: string) => OutboxRow | null, now: number): Ready {
  const ready: Operation[] = [];
  const held: Operation[] = [];
  const blocked = new Set<number>();
  const silent = new Set<string>();
  for (const operation of operations) {
    const thread = `${operation.link} ${operation.on}`;
    if (operation.kind === 'comment' && silent.has(thread)) continue;
    const row = rowOf(operation.key);
    const isParked = row?.state === 'parked' && JSON.stringify(row.operation) === JSON.stringify(operation);
    const isWaiting = row?.state === 'planned' && (row.notBeforeAt ?? 0) > now;
    if (isParked || (isWaiting && !blocked.has(operation.link))) held.push(operation);
    else if (!blocked.has(operation.link)) ready.push(operation);
    if (isParked && operation.kind === 'comment' && row.waitingSince !== null) silent.add(thread);
    if ((isWaiting && operation.kind !== 'file') || (isParked && operation.kind === 'create')) blocked.add(operation.link);
  }
  return { ready, held };
}
