import type { CommentOperation } from '../../model/plan/operation.ts';
import { creation, type OperationTraits, onBoth, plain } from './traits.ts';
import { said } from './words.ts';

export const comment: OperationTraits<'comment'> = {
  ...plain,
  rank: 3,
  cost: creation,
  doubt: { item: 'unless seen', thread: 'since', isPlannedAfresh: false },
  unshown: () => 'the comment',
  noun: 'a comment',
  totals: onBoth('comment to copy', 'comments to copy'),
  planned: (operation) =>
    `${{ copy: 'copy a comment', edit: 'report an edited text', deletion: 'report a deleted comment' }[operation.tells]}${partInWords(operation)}`,
  done: (operation) =>
    `${{ copy: 'comment copied', edit: 'edited text reported', deletion: 'deleted comment reported' }[operation.tells]}${partInWords(operation)}`,
  inLedger: (detail) => `a comment was copied: ${said(detail['of'])} to ${said(detail['made'])}`,
};

const partInWords = ({ part, parts }: CommentOperation): string => (parts === 1 ? '' : ` (part ${part} of ${parts})`);
