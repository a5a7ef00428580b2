import type { Operation, OperationKind } from '../model/operation.ts';

/** How it is found out what became of a request whose answer nobody heard. */
interface Doubt {
  /** Whether its bug or issue is looked at: always, or only where no reading has shown a comment on GitHub. */
  readonly item: 'always' | 'unless seen' | 'no';
  /** How much of the thread is read: only a whole reading shows that something is not there. */
  readonly thread: 'whole' | 'since' | 'no';
  /** Planned afresh from what was seen, whatever became of it; other requests are sent again as they were. */
  readonly isPlannedAfresh: boolean;
}

/** Bugs and issues are found by lists and single looks, files by looking before they are written. */
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
  lock: { item: 'always', thread: 'no', isPlannedAfresh: false },
};

export const doubtAbout = ({ kind }: Operation): Doubt => doubts[kind];
