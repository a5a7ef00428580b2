import { edit, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const minimize: OperationTraits<'minimize'> = {
  ...plain,
  rank: 4,
  cost: edit,
  doubt: { item: 'no', thread: 'no', isPlannedAfresh: true },
  copyIn: ({ commentLink }) => commentLink,
  unshown: () => 'the comment',
  noun: 'minimizing a copy',
  totals: onBoth('comment to minimize or show again', 'comments to minimize or show again'),
  planned: ({ minimize: reason }) => (reason === null ? 'show a minimized copy again' : `minimize a copy as ${reason}`),
  done: ({ minimize: reason }) => (reason === null ? 'copy shown again' : `copy minimized as ${reason}`),
  inLedger: (detail) =>
    typeof detail['minimize'] === 'string'
      ? `the copy of ${said(detail['of'])} was minimized as ${detail['minimize']}, as the original is tagged`
      : `the copy of ${said(detail['of'])} is shown again, as the original is no longer tagged`,
};
