import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, keepNews, markSent } from '../../../kernel/outbox.ts';
import type { Comment } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import type { Operation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import type { LinkPush } from '../../../model/pulls/push.ts';
import { pushText } from '../../../rules/comments/compose.ts';
import { isRemarked } from '../../../rules/labels/wrong-labels.ts';
import { pushRemark } from '../../../text/marker.ts';
import { addOwn, recordDone, rowStillThere } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered, type OperationHandler } from './handler.ts';

export const push: OperationHandler<'push'> = {
  perform: performPush,
  hasArrived: ({ store }, link, operation) =>
    isRemarked(store.commentLinks.ofLink(link.id), pushRemark(operation.push)),
  printed: ({ route, vocabulary }, { pushes = [] }, operation) => ({
    text: pushes
      .filter(({ url }) => url === operation.push)
      .map((each) => pushText(route, each, vocabulary.readsAllMarkdown === true))
      .join(''),
  }),
};

/** Tells a bug of the commits of one push that name it. */
async function performPush(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: Operation<'push'>,
): Promise<Performed> {
  const { store, route, tracker, session } = context;
  const push = store.pushes.ofLink(link.id).find(({ url }) => url === operation.push);
  if (link.bug === null || push === undefined || push.isTold) return dropOperation(context, operation);
  markSent(context, row);
  const outcome = await tracker.comment(link.bug, pushText(route, push, session.vocabulary.readsAllMarkdown === true));
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPush(context, operation, push, outcome.item);
  return answered;
}

function recordPush(context: Context, operation: Operation<'push'>, push: LinkPush, comment: Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    addOwn(context, link, 'tracker', comment, pushRemark(push.url));
    keepNews(context, operation, pushRemark(push.url), comment);
    store.pushes.save({ ...push, isTold: true });
    recordDone(context, operation, link, { of: push.url });
  });
}
