import type { Context, Performed } from '../../kernel/context.ts';
import { dropped, markSent } from '../../kernel/outbox.ts';
import type { Comment, Issue } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { EraseOperation, MinimizeOperation, Operation, RewriteOperation } from '../../model/plan/operation.ts';
import type { OutboxRow } from '../../model/store.ts';
import { commentAfter, withCopy } from '../../rules/comments/life.ts';
import { type Rendering, render } from '../../rules/comments/render.ts';
import { bodyDigest } from '../../rules/comments/thread.ts';
import { withTableOf } from '../../rules/fields/table.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { planInputOf } from '../observe/select.ts';
import { recordDone } from './record.ts';
import { recordFailure } from './record-failure.ts';

/** Rewrites a copy on GitHub. The new text is stored first, so that it is recognised if the answer is lost. */
export async function performRewrite(context: Context, row: OutboxRow, link: Link, operation: RewriteOperation): Promise<Performed> {
  const { store } = context;
  const commentLink = store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.state !== 'mirrored' || link.github === null)
    return dropped(context, operation);
  const rendering = render(context.route, planInputOf(context, link), operation);
  if (rendering.kind !== 'text') return notWritten(context, operation, rendering);
  const { text } = rendering;
  store.transaction(() => {
    markSent(context, row);
    store.commentLinks.save({ ...commentLink, wrote: digestAsSent(commentLink, text) });
  });
  const outcome = await send(context, link.github, commentLink, text);
  if (outcome.kind === 'applied') {
    recordRewrite(context, operation, outcome.item);
    return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
  }
  // Lists, and the next read of the copy, may come from replicas that do not show yet what people wrote over it.
  const isSeen = outcome.kind === 'stale' && commentLink.copy.id !== bodyId;
  if (outcome.kind !== 'unknown') store.commentLinks.save(isSeen ? withCopy(commentLink, { isEdited: true }) : commentLink);
  return recordFailure(context, row, outcome);
}

const digestAsSent = ({ copy }: CommentLink, text: string): string =>
  copy?.id === bodyId ? bodyDigest(text) : digestOf(canonicalText(text));

/**
 * An edit that people made a moment ago, and no list shows yet, is distinguished from our own text; if copies are restored, either
 * is overwritten.
 */
function send({ github, route }: Context, issue: Issue, commentLink: CommentLink, text: string): Promise<Outcome<Comment | Issue>> {
  if (commentLink.copy === null || commentLink.copy?.id === bodyId) return github.update(issue, { body: withTableOf(text, issue) });
  const mayReplace = (body: string): boolean => route.copies === 'restore' || digestOf(canonicalText(body)) === commentLink.copy?.digest;
  return github.rewrite(issue.number, commentLink.copy.id, text, mayReplace);
}

/** Minimizes or shows a copy, as the tags of its original say. The edge checks before it writes, so a request in doubt can be repeated. */
export async function performMinimize(context: Context, row: OutboxRow, link: Link, operation: MinimizeOperation): Promise<Performed> {
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.state !== 'mirrored' || link.issue === null)
    return dropped(context, operation);
  markSent(context, row);
  const outcome = await context.github.minimize(link.issue, commentLink.copy.id, operation.minimize);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordMinimize(context, operation);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: false };
}

export async function performErase(context: Context, row: OutboxRow, link: Link, operation: EraseOperation): Promise<Performed> {
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (commentLink === null || commentLink.copy === null || commentLink.copy?.id === bodyId || link.issue === null)
    return dropped(context, operation);
  markSent(context, row);
  const outcome = await context.github.erase(link.issue, commentLink.copy.id);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordErase(context, operation);
  return { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: true };
}

/** The copy shows its new text. The mark remains until planning has confirmed it. */
function recordRewrite(context: Context, operation: RewriteOperation, item: Comment | Issue): void {
  const { store } = context;
  store.transaction(() => {
    const [commentLink, link] = [store.commentLinks.byId(operation.commentLink), store.links.byId(operation.link)];
    if (commentLink === null || link === null) throw new Error('A copy was forgotten while it was written');
    const isBody = 'kind' in item;
    if (isBody) store.links.save({ ...link, github: item });
    store.commentLinks.save(rewritten(commentLink, operation, isBody ? bodyDigest(item.body) : digestOf(canonicalText(item.text))));
    recordDone(context, operation, link, { made: item.url, of: commentLink.url });
  });
}

/** The row of a copy with the operation's text; `copyDigest` is the digest of the text that the server shows. */
export function rewritten(commentLink: CommentLink, { digest, parts }: RewriteOperation, copyDigest: string): CommentLink {
  const carried = commentLink.part > 1 ? { digest, mirrored: digest, parts } : { mirrored: digest, parts };
  return { ...withCopy(commentLink, { digest: copyDigest, isEdited: false }), ...carried };
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

/** Nothing is left to write. A text that changed keeps its place: later texts wait until it is planned again. */
export function notWritten(context: Context, operation: Operation, { kind }: Rendering): Performed {
  if (kind === 'hidden') return dropped(context, operation);
  return { result: { kind: 'stale', why: 'its text has changed since it was planned' }, isBlocking: true, wantsPlan: true };
}
