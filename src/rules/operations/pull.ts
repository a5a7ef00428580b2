import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const pull: OperationTraits<'pull'> = {
  ...plain,
  rank: 4,
  cost: creation,
  doubt: { item: 'no', thread: 'since', isPlannedAfresh: true },
  unshown: ({ pull: number, tells }) => `${tells === null ? 'the attachment' : 'the news'} of pull request ${number}`,
  noun: 'the news of a pull request',
  totals: onBoth('pull request to report on a bug', 'pull requests to report on bugs'),
  planned: ({ pull: number, tells }) => `report pull request ${number}, which ${endings[tells ?? 'none']}`,
  done: ({ pull: number, tells }) => `pull request ${number} reported, which ${endings[tells ?? 'none']}`,
  inLedger: (detail) =>
    `a pull request that was ${said(detail['tells'])} was reported on the bug: ${said(detail['of'])}`,
};

const endings = { open: 'was opened', merged: 'was merged', closed: 'was closed', none: 'changed' } as const;
