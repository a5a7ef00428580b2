import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import { bodyId, type CommentLink, type Link } from '../../../model/link.ts';
import type { EraseOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { commentAfter } from '../../../rules/comments/life.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered, type OperationHandler, wordless } from './handler.ts';

export const erase: OperationHandler<'erase'> = {
  perform: performErase,
  hasArrived({ store }, _link, operation) {
    const commentLink = store.commentLinks.byId(operation.commentLink);
    return commentLink === null || commentLink.state === 'gone';
  },
  printed: wordless,
};

async function performErase(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: EraseOperation,
): Promise<Performed> {
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.copy?.id === bodyId || link.issue === null)
    return dropOperation(context, operation);
  markSent(context, row);
  const outcome = await context.github.erase(link.issue, commentLink.copy.id);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordErase(context, operation);
  return answered;
}

/** The copy is gone; if its source needs one again, it gets a new one. */
function recordErase(context: Context, operation: EraseOperation): void {
  const { store } = context;
  store.transaction(() => {
    const [commentLink, link] = [store.commentLinks.byId(operation.commentLink), store.links.byId(operation.link)];
    if (commentLink !== null) store.commentLinks.save(erased(commentLink, operation));
    const ends = link ?? { id: operation.link, bug: null, issue: null };
    recordDone(context, operation, ends, { of: commentLink?.url ?? null, reason: operation.reason });
  });
}

export const erased = (commentLink: CommentLink, { reason }: EraseOperation): CommentLink =>
  commentAfter(commentLink, { kind: 'erased', reason });
