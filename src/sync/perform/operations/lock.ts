import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import type { Link } from '../../../model/link.ts';
import type { LockOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { bury } from '../../observe/persist-plan.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { applied, type OperationHandler, wordless } from './handler.ts';

export const lock: OperationHandler<'lock'> = {
  perform: performLock,
  hasArrived: (_context, link, { act }) => act === 'lock' && link.github?.isLocked === true,
  printed: wordless,
};

/** Locks an issue, or closes one whose author was sent to the tracker. */
async function performLock(context: Context, row: OutboxRow, link: Link, operation: LockOperation): Promise<Performed> {
  const { store, github } = context;
  const issue = link.github;
  if (issue === null) return dropOperation(context, operation);
  markSent(context, row);
  if (operation.act === 'lock') {
    const outcome = await github.lock(issue.number, true);
    if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
    store.transaction(() => {
      const now = store.links.byId(link.id) ?? link;
      store.links.save({ ...now, github: { ...(now.github ?? issue), isLocked: true } });
      recordDone(context, operation, link, { act: 'lock' });
    });
    return applied;
  }
  const outcome = await github.update(issue, { state: 'closed', reason: 'not_planned' });
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  store.transaction(() => {
    recordDone(context, operation, link, { act: 'close' });
    bury(
      context,
      { ...(store.links.byId(link.id) ?? link), github: outcome.item },
      'its author was sent to the tracker',
    );
  });
  return applied;
}
