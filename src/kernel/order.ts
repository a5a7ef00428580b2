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
 * Sorts operations. Within a link, files are stored before a text links to them, a counterpart exists before anything is written to it, and a
 * bug is closed after its comments. A remark comes before the change it explains, since afterwards nothing would show that it is wanted.
 * Between links, the order of the plan is kept; it has no meaning.
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

/** The operations that one cycle may write. */
export const withinLimit = (operations: readonly Operation[], writesMax: number): readonly Operation[] => operations.slice(0, writesMax);

export interface Ready {
  /** The operations that may be performed now, in order. */
  readonly ready: readonly Operation[];
  /** Operations that are parked or not yet due: kept, but not counted against the limit of the cycle. */
  readonly held: readonly Operation[];
}

/**
 * Separates operations that can be performed from those that cannot, so that a failing link takes no other link's turn. The rest of a link waits
 * behind an operation that is not yet due, and behind a counterpart that cannot be created, but not behind a parked comment. Only a comment
 * that was parked because it was put off for too long keeps its place in the thread, for some time: until then, later comments wait behind it.
 * @param operations in order
 * @param rowOf the outbox row with a key
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
    if (isParked && operation.kind === 'comment' && keepsPlace(row, now)) silent.add(thread);
    if ((isWaiting && operation.kind !== 'file') || (isParked && operation.kind === 'create')) blocked.add(operation.link);
  }
  return { ready, held };
}

/** Whether a parked row holds up what stands behind it. */
export const keepsPlace = ({ notBeforeAt }: Pick<OutboxRow, 'notBeforeAt'>, now: number): boolean => (notBeforeAt ?? 0) > now;
