import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import type { Comment, Issue } from '../../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { HiddenFile, RewriteOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { bodyDigest } from '../../../rules/comments/body.ts';
import { withCopy } from '../../../rules/comments/life.ts';
import { keptCopies } from '../../../rules/comments/plan.ts';
import { copyNow } from '../../../rules/comments/render.ts';
import { digestOfComment } from '../../../rules/comments/version.ts';
import { withoutCopiesOf } from '../../../text/references.ts';
import { takeFresh } from '../../observe/persist-plan.ts';
import { textInputOf } from '../../observe/select.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered } from './handler.ts';

/** All copies of one text, so that its mark goes with the last of them. */
export async function unlinkFiles(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: RewriteOperation,
  files: readonly HiddenFile[],
): Promise<Performed> {
  const { store, route } = context;
  const first = store.commentLinks.byId(operation.commentLink);
  if (first === null || link.github === null) return dropOperation(context, operation);
  markSent(context, row);
  const parts = store.commentLinks.ofSource(first.link, first.origin, first.source);
  for (const copy of keptCopies(route, link, first, parts)) {
    const outcome = await send(context, link.github, copy, files);
    if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
    recordText(context, copy, outcome.item);
  }
  recordUnlinked(context, operation, files);
  return answered;
}

function send(
  { github }: Context,
  issue: Issue,
  { copy }: CommentLink,
  files: readonly HiddenFile[],
): Promise<Outcome<Comment | Issue>> {
  const change = (body: string): string => withoutCopiesOf(files, body);
  if (copy === null || copy.id === bodyId) return github.update(issue, { body: change(issue.body) });
  return github.amend(issue.number, copy.id, change);
}

/**
 * The words stay people's. What the bridge knew the copy to show before, it knows to show now; an edit that the bug has
 * not heard of yet is still reported.
 */
function recordText({ store }: Context, { id }: CommentLink, item: Comment | Issue): void {
  store.transaction(() => {
    const row = store.commentLinks.byId(id);
    const link = row && store.links.byId(row.link);
    if (row === null || link === null || row.copy === null) return;
    const { copy } = row;
    const isBody = 'kind' in item;
    const wasKnown = isBody ? link.github !== null && bodyDigest(link.github.body) === copy.digest : !copy.isEdited;
    const digest = isBody ? bodyDigest(item.body) : digestOfComment(item);
    if (isBody) store.links.save({ ...link, github: item });
    store.commentLinks.save({ ...(wasKnown ? withCopy(row, { digest }) : row), changedAt: item.changedAt });
  });
}

/** Unless further files were hidden meanwhile, the text needs no comparison any more. */
function recordUnlinked(context: Context, operation: RewriteOperation, files: readonly HiddenFile[]): void {
  const { store, route } = context;
  store.transaction(() => {
    const [commentLink, link] = [store.commentLinks.byId(operation.commentLink), store.links.byId(operation.link)];
    if (commentLink === null || link === null) throw new Error('A copy was forgotten while it was changed');
    const copy = copyNow(route, textInputOf(context, link, commentLink), commentLink.id);
    const isWhole = copy?.hidden.every(({ id }) => files.some((file) => file.id === id)) === true;
    if (copy !== null && isWhole)
      takeFresh(context, { commentLink: commentLink.id, mentions: copy.mentions, isRight: false });
    recordDone(context, operation, link, { of: commentLink.url, hides: files.map(({ id }) => id) });
  });
}
