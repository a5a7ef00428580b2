import { type OperationTraits, plain } from './traits.ts';
import { cover, said } from './words.ts';

export const file: OperationTraits<'file'> = {
  ...plain,
  rank: 0,
  cost: { tracker: 'create', github: 'edit' },
  // Files are read before they are written.
  doubt: { item: 'no', thread: 'no', isPlannedAfresh: false },
  unshown: ({ name }) => `the file ${name}`,
  redacted: (operation) =>
    operation.on === 'github' ? { ...operation, name: cover, path: cover } : { ...operation, name: cover },
  noun: 'a file',
  totals: {
    tracker: ['file to attach', 'files to attach'],
    github: ['file to copy or remove', 'files to copy or remove'],
  },
  planned: ({ act, name }) =>
    `${{ store: 'copy', withdraw: 'remove the copy of', attach: 'attach' }[act]} the file "${name}"`,
  done: ({ act, name }) => `file "${name}" ${{ store: 'copied', withdraw: 'removed', attach: 'attached' }[act]}`,
  inLedger: (detail) =>
    detail['act'] === 'withdraw'
      ? `the copy of a file was removed${typeof detail['left'] === 'string' ? `; ${detail['left']}` : ''}`
      : `a file was ${detail['act'] === 'attach' ? 'attached' : 'copied'}: ${said(detail['name'])} to ${said(detail['made'])}`,
};
