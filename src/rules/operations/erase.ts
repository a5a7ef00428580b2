import { edit, type OperationTraits, onBoth, plain } from './traits.ts';
import { because, said } from './words.ts';

export const erase: OperationTraits<'erase'> = {
  ...plain,
  rank: 3,
  cost: edit,
  doubt: { item: 'no', thread: 'whole', isPlannedAfresh: true },
  unshown: () => 'the comment',
  noun: 'removing a copy',
  totals: onBoth('copy to remove', 'copies to remove'),
  planned: ({ reason }) => `remove a copy (${reason})`,
  done: ({ reason }) => `copy removed (${reason})`,
  inLedger: (detail) => `the copy of ${said(detail['of'])} was removed${because(detail['reason'])}`,
};
