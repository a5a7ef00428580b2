import { faultInWords } from '../model/answers/fault.ts';
import type { ListedBug } from '../model/archive/ports.ts';
import type { ArchiveOptions } from './archive.ts';

/** A bug, and when its version was made. */
export type Met = Pick<ListedBug, 'id' | 'changedAt'>;

/** A fault of ours, or a step without an end, costs the bug on which it happens: the answer is its reason then. */
export function unlessFaulty<T>(
  { during, isEndless }: Pick<ArchiveOptions, 'during' | 'isEndless'>,
  bug: Met,
  make: () => T,
): T | string {
  if (isEndless(bug)) return 'bugferry did not end its work on it in an earlier run';
  try {
    return during({ route: 'archive', side: 'tracker', ref: bug.id, stage: 'read', of: 'item' }, make);
  } catch (error) {
    return `bugferry failed on it: ${faultInWords(error)}`;
  }
}
