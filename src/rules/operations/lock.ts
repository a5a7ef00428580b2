import { edit, type OperationTraits, onBoth, plain } from './traits.ts';

export const lock: OperationTraits<'lock'> = {
  ...plain,
  rank: 6,
  cost: edit,
  doubt: { item: 'always', thread: 'no', isPlannedAfresh: false },
  unshown: () => 'the state of the issue',
  noun: 'locking or closing the issue',
  totals: onBoth('issue to lock or close', 'issues to lock or close'),
  planned: ({ act }) =>
    act === 'lock' ? 'lock the issue' : "close a visitor's issue, as bugs are filed on the tracker",
  done: ({ act }) => (act === 'lock' ? 'issue locked' : "visitor's issue closed"),
  inLedger: (detail) =>
    detail['act'] === 'lock' ? 'the issue was locked' : 'the issue was closed, as bugs are filed on the tracker',
};
