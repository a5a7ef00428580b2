import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const push: OperationTraits<'push'> = {
  ...plain,
  rank: 4,
  cost: creation,
  doubt: { item: 'no', thread: 'since', isPlannedAfresh: true },
  unshown: () => 'the news of a push',
  noun: 'the news of commits',
  totals: onBoth('bug to tell of commits', 'bugs to tell of commits'),
  planned: () => 'tell of commits that name the bug',
  done: () => 'told of commits that name the bug',
  told: (detail) => `the bug was told of commits that name it: ${said(detail['of'])}`,
};
