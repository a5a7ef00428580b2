import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const remark: OperationTraits<'remark'> = {
  ...plain,
  rank: 4,
  cost: creation,
  doubt: { item: 'unless seen', thread: 'since', isPlannedAfresh: false },
  unshown: () => 'the comment',
  noun: 'an explanation',
  totals: onBoth('explanation to write', 'explanations to write'),
  planned: ({ answers }) => (answers === null ? 'say where bugs are filed' : 'explain a change on the issue'),
  done: ({ answers }) => (answers === null ? 'remark on where bugs are filed' : 'change explained on the issue'),
  inLedger: (detail) => `explained on the issue: ${said(detail['says'])}`,
};
