import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const push: OperationTraits<'push'> = {
  ...plain,
  rank: 4,
  cost: creation,
  doubt: { item: 'no', thread: 'since', isPlannedAfresh: true },
  unshown: () => 'the news of a push',
  noun: 'the news of commits',
  totals: onBoth('push to report on a bug', 'pushes to report on bugs'),
  planned: () => 'report commits that name the bug',
  done: () => 'commits that name the bug reported',
  inLedger: (detail) => `commits that name the bug were reported on it: ${said(detail['of'])}`,
};
