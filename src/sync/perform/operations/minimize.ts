import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import type { Link } from '../../../model/link.ts';
import type { MinimizeOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { withCopy } from '../../../rules/comments/life.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { applied, type OperationHandler, wordless } from './handler.ts';

export const minimize: OperationHandler<'minimize'> = {
  perform: performMinimize,
  // Before it is sent again, the comment's state is read.
  hasArrived: () => false,
  printed: wordless,
};

/**
 * Minimizes or shows a copy, as the tags of its original say. The edge checks before it writes, so a request in doubt
 * can be repeated.
 */
async function performMinimize(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: MinimizeOperation,
): Promise<Performed> {
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.state !== 'mirrored' || link.issue === null)
    return dropOperation(context, operation);
  markSent(context, row);
  const outcome = await context.github.minimize(link.issue, commentLink.copy.id, operation.minimize);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordMinimize(context, operation);
  return applied;
}

export function recordMinimize(context: Context, operation: MinimizeOperation): void {
  const { store } = context;
  store.transaction(() => {
    const [commentLink, link] = [store.commentLinks.byId(operation.commentLink), store.links.byId(operation.link)];
    if (commentLink === null || link === null) throw new Error('A copy was forgotten while it was minimized');
    store.commentLinks.save(withCopy(commentLink, { minimize: operation.minimize }));
    recordDone(context, operation, link, { of: commentLink.url, minimize: operation.minimize });
  });
}
