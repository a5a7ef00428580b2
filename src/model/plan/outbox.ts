import type { LinkId } from '../ids.ts';
import type { Operation } from './operation.ts';

/**
 *   planned  wanted; recomputed in every cycle
 *   sent     the request may have left: settled by reading, before anything else is done to the link
 *   parked   given up; tried again only when its content changes, in a sweep, or when a person asks
 */
export type OutboxState = 'planned' | 'sent' | 'parked';

export interface OutboxRow {
  /** The number by which people name it; it stays with the row and is never reused. */
  readonly number: number;
  readonly operation: Operation;
  readonly route: string;
  readonly state: OutboxState;
  readonly attempts: number;
  /**
   * Epoch milliseconds before which it is not tried; if it is a parked comment, before which no later comment of its
   * thread is tried.
   */
  readonly notBeforeAt: number | null;
  readonly sentAt: number | null;
  /** Since when it has been put off; null if it was not. A sweep that tries it again does not count from zero. */
  readonly waitingSince: number | null;
  readonly why: string | null;
}

export interface Outbox {
  /**
   * Replaces everything planned for `links` by `operations`, in this order. A row with the same key keeps its attempts
   * and its waiting time; a parked row stays parked while its operation is the same, and is planned again when it
   * differs; other planned and parked rows of these links are deleted. Sent rows are not touched, and win over an
   * operation with the same key.
   */
  replace(route: string, links: readonly LinkId[], operations: readonly Operation[]): void;
  /** Planned rows that are due, in their order. */
  due(route: string, now: number): readonly OutboxRow[];
  sent(route: string): readonly OutboxRow[];
  /** The same, read in parts: a migration has a whole tracker under way. Rows may be changed meanwhile. */
  eachSent(route: string): IteratorObject<OutboxRow>;
  parked(route: string): readonly OutboxRow[];
  /** The first planned rows that a side did not take, with the reason: they are tried again. */
  putOff(route: string, limit: number): readonly OutboxRow[];
  /** All rows of a link, or those in one state. */
  ofLink(link: LinkId, state?: OutboxState): readonly OutboxRow[];
  get(key: string): OutboxRow | null;
  byNumber(number: number): OutboxRow | null;
  /** Changes the state of a row, or the operation that is sent; the key stays. */
  mark(key: string, change: Partial<Omit<OutboxRow, 'number' | 'route'>>): void;
  remove(key: string): void;
  count(route: string): Readonly<Record<OutboxState, number>>;
}
