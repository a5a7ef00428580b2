import { creation, type OperationTraits, plain } from './traits.ts';
import { cover, deviations, said } from './words.ts';

export const create: OperationTraits<'create'> = {
  ...plain,
  rank: 1,
  cost: creation,
  doubt: { item: 'no', thread: 'no', isPlannedAfresh: false },
  unshown: () => 'the bug',
  redacted(operation) {
    const nothing = { target: {}, source: {} };
    return operation.on === 'tracker'
      ? { ...operation, ...nothing, draft: { ...operation.draft, summary: cover, description: cover } }
      : { ...operation, ...nothing, draft: { title: cover, body: cover, labels: [] } };
  },
  noun: 'creating the counterpart',
  totals: { tracker: ['bug to file', 'bugs to file'], github: ['issue to open', 'issues to open'] },
  planned: ({ on, draft }) => (on === 'tracker' ? `file a bug "${draft.summary}"` : `open an issue "${draft.title}"`),
  done: ({ on, draft }) => `created "${on === 'tracker' ? draft.summary : draft.title}"`,
  inLedger: (detail, on) =>
    `${on === 'tracker' ? 'the bug was filed' : 'the issue was opened'}: ${said(detail['made'])}${deviations(detail)}`,
};
