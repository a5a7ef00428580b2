import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const pull: OperationTraits<'pull'> = {
  ...plain,
  rank: 4,
  cost: creation,
  doubt: { item: 'no', thread: 'since', isPlannedAfresh: true },
  unshown: ({ pull: number, tells }) => `${tells === null ? 'the attachment' : 'the news'} of pull request ${number}`,
  noun: 'the news of a pull request',
  totals: onBoth('bug to tell of a pull request', 'bugs to tell of pull requests'),
  planned: ({ pull: number, tells }) => `tell of pull request ${number}, which ${endings[tells ?? 'none']}`,
  done: ({ pull: number, tells }) => `told of pull request ${number}, which ${endings[tells ?? 'none']}`,
  told: (detail) => `the bug was told of a pull request, which was ${said(detail['tells'])}: ${said(detail['of'])}`,
};

const endings = { open: 'was opened', merged: 'was merged', closed: 'was closed', none: 'changed' } as const;
