import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import type { Comment } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import type { RemarkOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { type Rendered, renderRemark } from '../../../rules/comments/render.ts';
import { isRemarked } from '../../../rules/labels/wrong-labels.ts';
import { unmarked } from '../../../text/autolinks.ts';
import { withoutFooter } from '../../../text/footer.ts';
import { addOwn, recordDone, rowStillThere } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { applied, type OperationHandler } from './handler.ts';

export const remark: OperationHandler<'remark'> = {
  perform: performRemark,
  hasArrived: ({ store }, link, operation) => isRemarked(store.commentLinks.ofLink(link.id), operation.remark),
  printed(stage, { link }, operation) {
    const text = renderRemark(stage, link, operation);
    return text === null ? {} : { text };
  },
};

async function performRemark(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: RemarkOperation,
): Promise<Performed> {
  const { store, github } = context;
  const text = renderRemark({ route: context.route, vocabulary: context.session.vocabulary }, link, operation);
  const isSaid = isRemarked(store.commentLinks.ofLink(link.id), operation.remark);
  if (link.issue === null || text === null || isSaid) return dropOperation(context, operation);
  markSent(context, row);
  const outcome = await github.comment(link.issue, text);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordRemark(context, { ...operation, text }, outcome.item);
  return applied;
}

function recordRemark(context: Context, operation: Rendered<RemarkOperation>, comment: Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    addOwn(context, link, 'github', comment, operation.remark);
    recordDone(context, operation, link, { made: comment.url, says: unmarked(withoutFooter(operation.text)) });
  });
}
