import { edit, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const rewrite: OperationTraits<'rewrite'> = {
  ...plain,
  rank: 3,
  cost: edit,
  isChange: ({ isEdit }) => isEdit,
  doubt: { item: 'always', thread: 'whole', isPlannedAfresh: true },
  copyIn: ({ commentLink }) => commentLink,
  unshown: () => 'the comment',
  noun: 'correcting a copy',
  totals: onBoth('copy to correct', 'copies to correct'),
  planned: ({ isEdit, hides }) => {
    if (hides !== undefined) return 'take the address of a hidden file out of a copy';
    return isEdit ? 'update the copy of an edited text' : 'correct a copy';
  },
  done: ({ isEdit, hides }) => {
    if (hides !== undefined) return 'address of a hidden file taken out of a copy';
    return isEdit ? 'copy of an edited text updated' : 'copy corrected';
  },
  inLedger: (detail) =>
    'hides' in detail
      ? `the copy of ${said(detail['of'])}, which people changed, lost the address of a file that is not public`
      : `the copy of ${said(detail['of'])} was corrected: ${said(detail['made'])}`,
};
