import type { Context, Performed } from '../../kernel/context.ts';
import { dropped, markSent, receiptOf, saveReceipt, withoutVain } from '../../kernel/outbox.ts';
import type { Comment, Item } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CommentOperation, CreateOperation, Operation, PointOperation, RemarkOperation } from '../../model/plan/operation.ts';
import { byKind, type PerKind } from '../../model/plan/per-kind.ts';
import type { OutboxRow } from '../../model/store.ts';
import { render, renderRemark } from '../../rules/comments/render.ts';
import { isPartWanted } from '../../rules/comments/seen-again.ts';
import { isRemarked } from '../../rules/labels/wrong-labels.ts';
import { type Pointer, pointerOf } from '../../rules/links/match.ts';
import { bareOf, type IssueCreation } from '../../rules/links/placeholder.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { bugPointer } from '../../text/pointer.ts';
import { planInputOf } from '../observe/select.ts';
import { performAttach } from './attach-to-bug.ts';
import { notWritten, performErase, performMinimize, performRewrite } from './perform-comment.ts';
import { performLock } from './perform-lock.ts';
import { performPull, performPush } from './perform-pull.ts';
import { performUpdate } from './perform-update.ts';
import { recordCreate, recordPoint, recordRemark } from './record.ts';
import { recordComment } from './record-comment.ts';
import { recordFailure } from './record-failure.ts';

/**
 * Performs one operation. The intention and its cost are stored before the request leaves, so that a crash leads neither to a
 * second request nor to a forgotten one.
 */
export async function perform(context: Context, row: OutboxRow): Promise<Performed> {
  const { operation } = row;
  const link = context.store.links.byId(operation.link);
  if (link === null || link.state !== 'live') return dropped(context, operation);
  const why = whyInVain(context, operation);
  if (why !== null) return recordFailure(context, row, { kind: 'refused', why });
  return byKind(performing, operation, context, row, link);
}

const performing: PerKind<Promise<Performed>, [Context, OutboxRow, Link]> = {
  create: performCreate,
  update: performUpdate,
  comment: performComment,
  rewrite: performRewrite,
  erase: performErase,
  minimize: performMinimize,
  point: performPoint,
  file: performAttach,
  remark: performRemark,
  pull: performPull,
  push: performPush,
  lock: performLock,
};

async function performCreate(context: Context, row: OutboxRow, link: Link, operation: CreateOperation): Promise<Performed> {
  if ((operation.on === 'tracker' ? link.bug : link.issue) !== null) return dropped(context, operation);
  markSent(context, row);
  if (operation.on === 'github') return performIssue(context, row, operation);
  const outcome: Outcome<Item> = await context.tracker.create(operation.draft);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordCreate(context, operation, outcome.item);
  return answered;
}

/** If GitHub refuses an issue without a reason, it is tried once more with title and text alone, so that there is an issue for the rest. */
async function performIssue(context: Context, row: OutboxRow, operation: IssueCreation): Promise<Performed> {
  const { store, github } = context;
  const whole = await github.create(operation.draft);
  const isBare = whole.kind === 'refused' && whole.isUnexplained === true;
  const sent = isBare ? bareOf(operation) : operation;
  if (isBare) {
    // If this answer is lost, the issue to look for is the one that was sent.
    store.transaction(() => {
      markSent(context, row);
      store.outbox.mark(operation.key, { operation: sent });
    });
  }
  const outcome = isBare ? await github.create(sent.draft) : whole;
  if (outcome.kind === 'applied') {
    recordCreate(context, sent, outcome.item);
    return answered;
  }
  if (outcome.kind !== 'unknown') store.outbox.mark(operation.key, { operation });
  return recordFailure(context, row, outcome);
}

async function performComment(context: Context, row: OutboxRow, link: Link, operation: CommentOperation): Promise<Performed> {
  const words = wordsOf(context, link, operation);
  if (!('text' in words)) return words;
  const { text, isMarkdown, ref, commentLink } = words;
  context.store.transaction(() => {
    markSent(context, row);
    // Identifies the copy as ours if the answer is lost.
    if (operation.on === 'github' && operation.part === 1)
      context.store.commentLinks.save({ ...commentLink, wrote: digestOf(canonicalText(text)) });
  });
  const outcome: Outcome<Comment> = await context[operation.on].comment(ref, text, isMarkdown);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordComment(context, { ...operation, text }, outcome.item);
  return applied;
}

interface Words {
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly ref: number;
  readonly commentLink: CommentLink;
}

/** What a comment says, and where; or its result, if it is not to be written now. */
export function wordsOf(context: Context, link: Link, operation: CommentOperation): Words | Performed {
  const ref = operation.on === 'tracker' ? link.bug : link.issue;
  const commentLink = context.store.commentLinks.byId(operation.commentLink);
  if (ref === null || commentLink === null || !isWanted(context, operation, commentLink)) return dropped(context, operation);
  if (operation.tells !== 'copy' && isUnshown(context, operation)) {
    return {
      result: { kind: 'later', why: 'an earlier comment about it does not show on the tracker yet' },
      isBlocking: false,
      wantsPlan: true,
    };
  }
  const rendering = render(context.route, planInputOf(context, link), operation);
  if (rendering.kind !== 'text') return notWritten(context, operation, rendering);
  return { text: rendering.text, isMarkdown: rendering.isMarkdown, ref, commentLink };
}

function isWanted({ store }: Context, operation: CommentOperation, commentLink: CommentLink): boolean {
  if (operation.part > 1) return isPartWanted(operation, commentLink, store.commentLinks.ofLink(commentLink.link));
  if (operation.tells === 'deletion') return commentLink.state === 'gone' && commentLink.isStale;
  return commentLink.state !== 'gone' && (operation.tells === 'edit' || commentLink.copy === null);
}

/** Whether the bridge's last comment about the same source may have been lost. If so, it is written again, from the source as it is by then. */
const isUnshown = ({ store }: Context, { link, commentLink }: CommentOperation): boolean =>
  receiptOf(store, link).comments.some((reported) => reported.commentLink === commentLink);

async function performRemark(context: Context, row: OutboxRow, link: Link, operation: RemarkOperation): Promise<Performed> {
  const { store, github } = context;
  const text = renderRemark({ route: context.route, vocabulary: context.session.vocabulary }, link, operation);
  const isSaid = isRemarked(store.commentLinks.ofLink(link.id), operation.remark);
  if (link.issue === null || text === null || isSaid) return dropped(context, operation);
  markSent(context, row);
  const outcome = await github.comment(link.issue, text);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordRemark(context, { ...operation, text }, outcome.item);
  return applied;
}

async function performPoint(context: Context, row: OutboxRow, link: Link, operation: PointOperation): Promise<Performed> {
  const pointer = pointerOf(context.route, link, operation.on);
  if (pointer === null || link.pointed[operation.on]) return dropped(context, operation);
  markSent(context, row);
  const outcome = await point(context, link, pointer);
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordPoint(context, operation, outcome.item);
  return answered;
}

async function point({ tracker, github }: Context, link: Link, pointer: Pointer): Promise<Outcome<Item | Comment>> {
  const { tracker: bug, github: issue } = link;
  if (bug === null || issue === null) return { kind: 'refused', why: 'the link has only one end' };
  if (pointer.how === 'footer') return github.update(issue, { footer: pointer.footer });
  if (pointer.how === 'comment') return tracker.comment(bug.id, pointer.text);
  const outcome = await tracker.update(bug, { seeAlso: pointer.url });
  // An account that may not edit the bug, or a tracker that rejects such URLs, still takes a comment.
  return outcome.kind === 'refused' ? tracker.comment(bug.id, bugPointer(issue.url)) : outcome;
}

const applied: Performed = { result: { kind: 'applied', why: null }, isBlocking: false, wantsPlan: false };

/** The answer shows the whole item: edits made meanwhile are known now, and no poll will bring them as news. */
const answered: Performed = { ...applied, wantsPlan: true };

/**
 * Why an operation is given up after the tracker has reported it as stored several times without ever showing it; null when it is not given up.
 * A retry starts counting from zero.
 */
function whyInVain({ store, limits }: Context, operation: Operation): string | null {
  const { on, link, key } = operation;
  const receipt = receiptOf(store, link);
  const tries = receipt.vain[key] ?? 0;
  if (on === 'github' || tries < limits.attempts) return null;
  saveReceipt(store, withoutVain(receipt, [key]));
  return `the tracker reported ${tries} times that it had stored ${whatOf(operation)}, but never showed it`;
}

const whatOf = (operation: Operation): string => byKind(whats, operation);

const comment = (): string => 'the comment';

/** Some kinds are for GitHub only, where this does not happen. */
const whats: PerKind<string> = {
  update: ({ target }) => Object.keys(target).join(', '),
  point: () => 'the address of the issue',
  file: ({ name }) => `the file ${name}`,
  create: () => 'the bug',
  comment,
  rewrite: comment,
  erase: comment,
  minimize: comment,
  remark: comment,
  pull: ({ pull, tells }) => `${tells === null ? 'the attachment' : 'the news'} of pull request ${pull}`,
  push: () => 'the news of a push',
  lock: () => 'the state of the issue',
};
