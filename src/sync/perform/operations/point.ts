import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, keepComment, keepPointer, markSent } from '../../../kernel/outbox.ts';
import type { Comment, Item } from '../../../model/item.ts';
import type { Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { PointOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { namesIssue, type Pointer, pointerOf } from '../../../rules/links/match.ts';
import { mirroredLine } from '../../../text/marker.ts';
import { addOwn, recordDone, rowStillThere, withOwnPointer } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered, type OperationHandler, wordless } from './handler.ts';

export const point: OperationHandler<'point'> = {
  perform: performPoint,
  hasArrived: (_context, link, { on }) => link.pointed[on],
  printed: wordless,
};

async function performPoint(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: PointOperation,
): Promise<Performed> {
  const pointer = pointerOf(context.route, link, operation.on);
  if (pointer === null || link.pointed[operation.on]) return dropOperation(context, operation);
  markSent(context, row);
  const outcome = await send(context, link, pointer);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPoint(context, operation, outcome.item);
  return answered;
}

async function send({ tracker, github }: Context, link: Link, pointer: Pointer): Promise<Outcome<Item | Comment>> {
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'refused', why: 'the link has only one end' };
  if (pointer.how === 'footer') return github.update(issue, { footer: pointer.footer });
  if (pointer.how === 'comment') return tracker.comment(bug.id, pointer.text);
  const outcome = await tracker.update(bug, { seeAlso: pointer.url });
  // An account that may not edit the bug, or a tracker that rejects such URLs, still takes a comment.
  return outcome.kind === 'refused' ? tracker.comment(bug.id, mirroredLine(issue.url)) : outcome;
}

function recordPoint(context: Context, operation: PointOperation, item: Item | Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    const seen = 'kind' in item ? withOwnPointer(link, item) : link;
    store.links.save({ ...seen, pointed: { ...link.pointed, [operation.on]: true } });
    if (!('kind' in item)) {
      addOwn(context, link, operation.on, item);
      if (operation.on === 'tracker') keepComment(context, operation, null, item);
    } else if (item.kind === 'bug' && namesIssue(context.route, seen)) keepPointer(context, operation, item.changedAt);
    recordDone(context, operation, seen, { names: operation.on === 'tracker' ? link.github?.url : link.tracker?.url });
  });
}
