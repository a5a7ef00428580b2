import type { Operation, OperationKind } from '../../model/plan/operation.ts';

/** How the outcome of a request without an answer is found out. */
interface Doubt {
  /** Whether its bug or issue is read: always, or for a comment on GitHub only if no read has shown it yet. */
  readonly item: 'always' | 'unless seen' | 'no';
  /** How much of the thread is read: only a complete read shows that something is missing. */
  readonly thread: 'whole' | 'since' | 'no';
  /** True if it is planned again from what was seen, whatever the outcome; other requests are sent again unchanged. */
  readonly isPlannedAfresh: boolean;
}

/** New bugs and issues are found in lists and by single reads; files are read before they are written. */
const doubts: Readonly<Record<OperationKind, Doubt>> = {
  create: { item: 'no', thread: 'no', isPlannedAfresh: false },
  update: { item: 'always', thread: 'no', isPlannedAfresh: true },
  comment: { item: 'unless seen', thread: 'since', isPlannedAfresh: false },
  rewrite: { item: 'always', thread: 'whole', isPlannedAfresh: true },
  erase: { item: 'no', thread: 'whole', isPlannedAfresh: true },
  minimize: { item: 'no', thread: 'no', isPlannedAfresh: true },
  point: { item: 'always', thread: 'since', isPlannedAfresh: false },
  file: { item: 'no', thread: 'no', isPlannedAfresh: false },
  remark: { item: 'unless seen', thread: 'since', isPlannedAfresh: false },
  pull: { item: 'no', thread: 'since', isPlannedAfresh: true },
  push: { item: 'no', thread: 'since', isPlannedAfresh: true },
  lock: { item: 'always', thread: 'no', isPlannedAfresh: false },
};

export const doubtAbout = ({ kind }: Operation): Doubt => doubts[kind];
