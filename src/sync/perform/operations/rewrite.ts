import type { Context, Performed } from '../../../kernel/context.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import type { Comment, Issue } from '../../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { RewriteOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { bodyDigest } from '../../../rules/comments/body.ts';
import { digestAsSent } from '../../../rules/comments/copy.ts';
import { withCopy } from '../../../rules/comments/life.ts';
import { printedText } from '../../../rules/comments/render.ts';
import { withTableOf } from '../../../rules/fields/table.ts';
import { canonicalText, digestOf } from '../../../text/canonical.ts';
import { recordDone } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { leftOut, notWritten, renderedOrNone } from './comment.ts';
import { answered, type OperationHandler } from './handler.ts';
import { unlinkFiles } from './unlink.ts';

export const rewrite: OperationHandler<'rewrite'> = {
  perform: performRewrite,
  hasArrived({ store }, link, operation) {
    // Each of its copies is read before it is written.
    if (operation.hides !== undefined) return false;
    const commentLink = store.commentLinks.byId(operation.commentLink);
    if (commentLink === null) return true;
    const shown = shownBy(commentLink, link);
    return shown !== null && shown === commentLink.wrote;
  },
  printed: (stage, input, operation) => (operation.hides === undefined ? printedText(stage, input, operation) : {}),
};

/** Rewrites a copy on GitHub. The new text is stored first, so that it is recognised if the answer is lost. */
async function performRewrite(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: RewriteOperation,
): Promise<Performed> {
  const { store } = context;
  if (operation.hides !== undefined) return unlinkFiles(context, row, link, operation, operation.hides);
  const commentLink = store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.state !== 'mirrored' || link.github === null)
    return dropOperation(context, operation);
  const rendering = renderedOrNone(context, link, commentLink, operation);
  if (rendering === null) return leftOut;
  if (rendering.kind !== 'text') return notWritten(context, operation, rendering);
  const { text } = rendering;
  store.transaction(() => {
    markSent(context, row);
    store.commentLinks.save({ ...commentLink, wrote: digestAsSent(commentLink, text) });
  });
  const outcome = await send(context, link.github, commentLink, text);
  if (outcome.kind === 'applied') {
    recordRewrite(context, operation, outcome.item);
    return answered;
  }
  // Lists, and the next read of the copy, may come from replicas that do not show yet what people wrote over it.
  const isSeen = outcome.kind === 'stale' && commentLink.copy.id !== bodyId;
  if (outcome.kind !== 'unknown')
    store.commentLinks.save(isSeen ? withCopy(commentLink, { isEdited: true }) : commentLink);
  return recordFailure(context, row, outcome);
}

/**
 * An edit that people made a moment ago, and no list shows yet, is distinguished from our own text; if copies are
 * restored, either is overwritten.
 */
function send(
  { github, route }: Context,
  issue: Issue,
  commentLink: CommentLink,
  text: string,
): Promise<Outcome<Comment | Issue>> {
  if (commentLink.copy === null || commentLink.copy?.id === bodyId)
    return github.update(issue, { body: withTableOf(text, issue) });
  const mayReplace = (body: string): boolean =>
    route.copies === 'restore' || digestOf(canonicalText(body)) === commentLink.copy?.digest;
  return github.rewrite(issue.number, commentLink.copy.id, text, mayReplace);
}

/** The copy shows its new text. The mark remains until planning has confirmed it. */
function recordRewrite(context: Context, operation: RewriteOperation, item: Comment | Issue): void {
  const { store } = context;
  store.transaction(() => {
    const [commentLink, link] = [store.commentLinks.byId(operation.commentLink), store.links.byId(operation.link)];
    if (commentLink === null || link === null) throw new Error('A copy was forgotten while it was written');
    const isBody = 'kind' in item;
    if (isBody) store.links.save({ ...link, github: item });
    const digest = isBody ? bodyDigest(item.body) : digestOf(canonicalText(item.text));
    store.commentLinks.save({ ...rewritten(commentLink, operation, digest), changedAt: item.changedAt });
    recordDone(context, operation, link, { made: item.url, of: commentLink.url });
  });
}

/** The row of a copy with the operation's text; `copyDigest` is the digest of the text that the server shows. */
export function rewritten(
  commentLink: CommentLink,
  { digest, parts }: RewriteOperation,
  copyDigest: string,
): CommentLink {
  const carried = commentLink.part > 1 ? { digest, mirrored: digest, parts } : { mirrored: digest, parts };
  return { ...withCopy(commentLink, { digest: copyDigest, isEdited: false }), ...carried };
}

/**
 * The digest that a copy shows. The thread and the issue were read before: it is that of the text we sent, or the
 * earlier one.
 */
export const shownBy = (commentLink: CommentLink, { github }: Link): string | null =>
  commentLink.copy?.id === bodyId
    ? github === null
      ? null
      : bodyDigest(github.body)
    : (commentLink.copy?.digest ?? null);
