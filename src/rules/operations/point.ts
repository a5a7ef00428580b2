import { edit, type OperationTraits, plain } from './traits.ts';
import { said } from './words.ts';

export const point: OperationTraits<'point'> = {
  ...plain,
  rank: 2,
  cost: edit,
  doubt: { item: 'always', thread: 'since', isPlannedAfresh: false },
  unshown: () => 'the address of the issue',
  noun: 'naming the other end',
  totals: {
    tracker: ['bug to name its issue', 'bugs to name their issues'],
    github: ['issue to name its bug', 'issues to name their bugs'],
  },
  planned: ({ on }) => (on === 'tracker' ? 'name the issue in the bug' : 'name the bug in the issue'),
  done: ({ on }) => (on === 'tracker' ? 'the bug names its issue' : 'the issue names its bug'),
  inLedger: (detail, on) => `${on === 'tracker' ? 'the bug' : 'the issue'} now names ${said(detail['names'])}`,
};
