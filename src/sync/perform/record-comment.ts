import type { Context, RouteState } from '../../kernel/context.ts';
import { keepComment } from '../../kernel/outbox.ts';
import type { Comment } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { CommentOperation } from '../../model/plan/operation.ts';
import type { CommentEvent } from '../../rules/comments/life.ts';
import { commentAfter, newCommentLink, withCopy } from '../../rules/comments/life.ts';
import { lacksParts } from '../../rules/comments/parts.ts';
import type { Rendered } from '../../rules/comments/render.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { resolveComment } from '../observe/mentions.ts';
import { addOwn, recordDone, rowStillThere, withMentions } from './record.ts';

/**
 * Records a new copy, or the report of an edit or a deletion. Changes to other links may have made the comment link
 * stale meanwhile.
 */
export function recordComment(context: Context, operation: Rendered<CommentOperation>, comment: Comment): void {
  const { store } = context;
  store.transaction(() => {
    const [link, commentLink] = [
      rowStillThere(store.links.byId(operation.link)),
      rowStillThere(store.commentLinks.byId(operation.commentLink)),
    ];
    if (operation.part > 1) recordPart(context, operation, commentLink, comment);
    else if (operation.tells === 'deletion') {
      store.commentLinks.save({ ...commentLink, isStale: false });
      addOwn(context, link, operation.on, comment);
    } else if (operation.tells === 'edit') {
      store.commentLinks.save(reported(commentLink, operation));
      addOwn(context, link, operation.on, comment);
    } else recordCopy(context, operation, link, commentLink, comment);
    if (operation.on === 'tracker') keepComment(context, operation, commentLink, comment);
    const reports = operation.tells === 'edit' && operation.part === 1 ? { reports: operation.commentLink } : {};
    const detail = { made: comment.url, madeAt: comment.createdAt, of: commentLink.url, ...reports };
    recordDone(context, operation, link, detail);
  });
}

/** From the first report on, a body that was edited by a person stays as it is. */
const reported = (commentLink: CommentLink, { digest, parts }: CommentOperation): CommentLink =>
  commentLink.copy?.id === bodyId
    ? { ...withCopy(commentLink, { digest, isEdited: true }), before: null }
    : { ...commentLink, mirrored: digest, parts, before: null };

function recordCopy(
  context: Context,
  operation: Rendered<CommentOperation>,
  link: Link,
  commentLink: CommentLink,
  comment: Comment,
): void {
  const noted = withMentions(context, link, commentLink, operation.text);
  const counted = { ...noted, count: commentLink.count ?? comment.count };
  const copied = commentAfter(counted, copiedBy(operation, comment, noted.isStale));
  // The text is needed as long as parts of it have to be written or compared.
  const isNeeded = commentLink.origin === 'github' || operation.parts > 1 || copied.isStale;
  context.store.commentLinks.save(isNeeded ? copied : { ...copied, text: null });
  if (commentLink.copy === null) resolveComment(context, link, copied);
}

const copiedBy = (
  { digest, parts, text }: Rendered<CommentOperation>,
  comment: Comment,
  isStale: boolean,
): CommentEvent => ({
  kind: 'copied',
  copy: { id: comment.id, digest: digestOf(canonicalText(comment.text)), isEdited: false, minimize: null },
  wrote: digestOf(canonicalText(text)),
  mirrored: digest,
  parts,
  isStale,
});

/** Records the copy of a further part. With the last one, the text of a tracker comment is no longer needed. */
function recordPart(
  { store }: RouteState,
  operation: Rendered<CommentOperation>,
  commentLink: CommentLink,
  comment: Comment,
): void {
  const { id: _id, ...first } = commentLink;
  const { part, digest } = operation;
  const { url, createdAt } = comment;
  const fresh = newCommentLink({ ...first, minimize: null, text: null, digest, url, createdAt, count: null }, null);
  const row = { ...commentAfter(fresh, copiedBy(operation, comment, false)), part };
  // A part that was erased when the text became shorter has its row already.
  const old = store.commentLinks.ofLink(commentLink.link).find((each) => isErasedPart(each, commentLink, part));
  if (old === undefined) store.commentLinks.add(row);
  else store.commentLinks.save({ ...row, id: old.id });
  const isDone =
    commentLink.origin === 'tracker' &&
    !commentLink.isStale &&
    !lacksParts(commentLink, store.commentLinks.ofLink(commentLink.link));
  if (isDone) store.commentLinks.save({ ...commentLink, text: null });
}

const isErasedPart = (each: CommentLink, { origin, source }: CommentLink, part: number): boolean =>
  each.state === 'skipped' && each.origin === origin && each.source === source && each.part === part;
