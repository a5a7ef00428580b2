import type { Context, Performed, RouteState } from '../../../kernel/context.ts';
import { whyFull } from '../../../kernel/full-issues.ts';
import { dropOperation, markSent, receiptOf } from '../../../kernel/outbox.ts';
import { spare } from '../../../kernel/set-aside.ts';
import { workOnTold } from '../../../kernel/spare-comments.ts';
import type { Comment } from '../../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { CommentOperation, Operation, RewriteOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { isPartWanted, isPartWritten } from '../../../rules/comments/parts.ts';
import { printedText, type Rendering, render } from '../../../rules/comments/render.ts';
import { idOn } from '../../../rules/comments/rows.ts';
import { canonicalText, digestOf } from '../../../text/canonical.ts';
import { withEditor } from '../../../text/marker.ts';
import { textInputOf } from '../../observe/select.ts';
import { editedBy, namesEditor } from '../edited-by.ts';
import { recordComment } from '../record-comment.ts';
import { recordFailure } from '../record-failure.ts';
import { applied, type OperationHandler } from './handler.ts';

export const comment: OperationHandler<'comment'> = {
  perform: performComment,
  hasArrived({ store }, _link, operation) {
    const commentLink = store.commentLinks.byId(operation.commentLink);
    if (commentLink === null) return true;
    if (operation.part > 1) return isPartWritten(operation, commentLink, store.commentLinks.ofLink(commentLink.link));
    const carried = commentLink.copy?.id === bodyId ? commentLink.copy.digest : commentLink.mirrored;
    if (operation.tells === 'deletion') return !commentLink.isStale;
    return operation.tells === 'edit' ? carried === operation.digest : commentLink.copy !== null;
  },
  printed: printedText,
};

async function performComment(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: CommentOperation,
): Promise<Performed> {
  const full = whyFull(context, operation);
  if (full !== null) return recordFailure(context, row, { kind: 'refused', why: full });
  const words = await wordsOf(context, row, link, operation);
  if (!('text' in words)) return words;
  const { text, isMarkdown, ref, commentLink } = words;
  context.store.transaction(() => {
    markSent(context, row);
    // Identifies the copy as ours if the answer is lost.
    if (operation.on === 'github' && operation.part === 1)
      context.store.commentLinks.save({ ...commentLink, wrote: digestOf(canonicalText(text)) });
  });
  const outcome = unlessKnown(context, operation, await context[operation.on].comment(ref, text, isMarkdown));
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordComment(context, { ...operation, text }, outcome.item);
  return applied;
}

/** An answer that shows another comment says nothing of what was made, if anything was. */
function unlessKnown({ store }: Context, { link, on }: CommentOperation, outcome: Outcome<Comment>): Outcome<Comment> {
  if (outcome.kind !== 'applied') return outcome;
  const { id, url } = outcome.item;
  const { named, ofSource } = store.commentLinks;
  const rows = [...named(link, { counts: [], ids: [id] }), ...ofSource(link, 'tracker', id)];
  const isKnown = rows.some((row) => idOn(on, row) === id);
  return isKnown ? { kind: 'unknown', why: `The answer shows ${url}, which was there before.` } : outcome;
}

interface Words {
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly ref: number;
  readonly commentLink: CommentLink;
}

/** What a comment says, and where; or its result, if it is not to be written now. */
export async function wordsOf(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: CommentOperation,
): Promise<Words | Performed> {
  const ref = operation.on === 'tracker' ? link.bug : link.issue;
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (ref === null || commentLink === null || !isWanted(context, operation, commentLink))
    return dropOperation(context, operation);
  if (operation.tells !== 'copy' && isUnshown(context, operation)) {
    return {
      result: { kind: 'later', why: 'an earlier comment about it does not show on the tracker yet' },
      isBlocking: false,
      wantsPlan: true,
    };
  }
  const rendering = renderedOrNone(context, link, commentLink, operation);
  if (rendering === null) return leftOut;
  if (rendering.kind !== 'text') return notWritten(context, operation, rendering);
  const { text, isMarkdown } = rendering;
  if (!namesEditor(operation)) return { text, isMarkdown, ref, commentLink };
  const editor = await editedBy(context, row, link, commentLink);
  if (editor === 'waits') return waitsForEditor;
  return { text: editor === null ? text : withEditor(text, editor), isMarkdown, ref, commentLink };
}

/** A comment whose text cannot be rendered costs no other its turn, once its bug and its issue are there. */
export function renderedOrNone(
  context: Context,
  link: Link,
  commentLink: CommentLink,
  operation: CommentOperation | RewriteOperation,
): Rendering | null {
  const run = (): Rendering => {
    const rendering = render(context.route, textInputOf(context, link, commentLink), operation);
    return rendering;
  };
  const work = workOnTold(context.store, operation);
  return work === null ? run() : spare(context, work, run);
}

/** It is set aside, and the next plan does without it. */
export const leftOut: Performed = {
  result: { kind: 'later', why: 'work on this comment failed, and it is set aside' },
  isBlocking: false,
  wantsPlan: true,
};

const waitsForEditor: Performed = {
  result: { kind: 'later', why: 'GitHub does not say yet who edited the text' },
  isBlocking: false,
  wantsPlan: true,
};

function isWanted({ store }: RouteState, operation: CommentOperation, commentLink: CommentLink): boolean {
  if (operation.part > 1) return isPartWanted(operation, commentLink, store.commentLinks.ofLink(commentLink.link));
  if (operation.tells === 'deletion') return commentLink.state === 'gone' && commentLink.isStale;
  return commentLink.state !== 'gone' && (operation.tells === 'edit' || commentLink.copy === null);
}

/**
 * Whether the bridge's last comment about the same source may have been lost. If so, it is written again, from the
 * source as it is by then.
 */
const isUnshown = ({ store }: RouteState, { link, commentLink }: CommentOperation): boolean =>
  receiptOf(store, link).comments.some((reported) => reported.commentLink === commentLink);

/** Nothing is left to write. A text that changed keeps its place: later texts wait until it is planned again. */
export function notWritten(context: Context, operation: Operation, { kind }: Rendering): Performed {
  if (kind === 'hidden') return dropOperation(context, operation);
  return {
    result: { kind: 'stale', why: 'its text has changed since it was planned' },
    isBlocking: true,
    wantsPlan: true,
  };
}
