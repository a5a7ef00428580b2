import type { Context, Performed } from '../../../kernel/context.ts';
import { linkOf } from '../../../kernel/linked.ts';
import { dropOperation, markSent } from '../../../kernel/outbox.ts';
import { isFault } from '../../../kernel/set-aside.ts';
import { type Item, refOf, sideOf } from '../../../model/item.ts';
import { aboutOf, bodyId, type CommentLink, type Link } from '../../../model/link.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { CreateOperation } from '../../../model/plan/operation.ts';
import type { OutboxRow } from '../../../model/plan/outbox.ts';
import { bodyDigest } from '../../../rules/comments/body.ts';
import { commentAfter } from '../../../rules/comments/life.ts';
import { withoutIgnored } from '../../../rules/fields/left-out.ts';
import { baseOfCreated } from '../../../rules/fields/move-base.ts';
import { bareOf, type IssueCreation } from '../../../rules/links/placeholder.ts';
import { fieldsOn } from '../../observe/fields-on.ts';
import { markDependentsDirty } from '../../observe/mentions.ts';
import { isAnother, letGo } from '../../observe/went-back.ts';
import { deviations, ignoredIn, recordDone, rowStillThere, withMentions } from '../record.ts';
import { recordFailure } from '../record-failure.ts';
import { answered, type OperationHandler, wordless } from './handler.ts';

export const create: OperationHandler<'create'> = {
  perform: performCreate,
  hasArrived: (_context, link, { on }) => (on === 'tracker' ? link.bug : link.issue) !== null,
  printed: wordless,
};

async function performCreate(
  context: Context,
  row: OutboxRow,
  link: Link,
  operation: CreateOperation,
): Promise<Performed> {
  if ((operation.on === 'tracker' ? link.bug : link.issue) !== null) return dropOperation(context, operation);
  context.store.transaction(() => {
    markSent(context, row);
    if (operation.on === 'github') noteBody(context, operation);
  });
  if (operation.on === 'github') return performIssue(context, row, operation);
  const outcome: Outcome<Item> = unlessKnown(context, await context.tracker.create(operation.draft));
  if (outcome.kind !== 'applied') return recordFailure(context, row, outcome);
  recordCreate(context, operation, outcome);
  return answered;
}

/** An answer that shows what another pair has says nothing of what was made, if anything was. */
function unlessKnown<T extends Item>(context: Context, outcome: Outcome<T>): Outcome<T> {
  if (outcome.kind !== 'applied') return outcome;
  const { item } = outcome;
  const side = sideOf(item);
  const known = linkOf(context, side, refOf(item));
  if (known === null || known[side] === null || isAnother(known, item, context.clock.now())) return outcome;
  return { kind: 'unknown', why: `The answer shows ${aboutOf(known, side)}, which is mirrored already.` };
}

/** Identifies the body as ours if the answer is lost, though the description may be another one by then. */
function noteBody({ store }: Context, { commentLink: id, draft }: IssueCreation): void {
  const commentLink = id === null ? null : store.commentLinks.byId(id);
  if (commentLink !== null) store.commentLinks.save({ ...commentLink, wrote: bodyDigest(draft.body) });
}

/**
 * If GitHub refuses an issue without a reason, it is tried once more with title and text alone, so that there is an
 * issue for the rest.
 */
async function performIssue(context: Context, row: OutboxRow, operation: IssueCreation): Promise<Performed> {
  const { store, github } = context;
  const whole = unlessKnown(context, await github.create(operation.draft));
  const isBare = whole.kind === 'refused' && whole.isUnexplained === true;
  const sent = isBare ? bareOf(operation) : operation;
  if (isBare) {
    // If this answer is lost, the issue to look for is the one that was sent.
    store.transaction(() => {
      markSent(context, row);
      store.outbox.mark(operation.key, { operation: sent });
    });
  }
  const outcome = isBare ? unlessKnown(context, await github.create(sent.draft)) : whole;
  if (outcome.kind === 'applied') {
    recordCreate(context, sent, outcome);
    return answered;
  }
  if (outcome.kind !== 'unknown') store.outbox.mark(operation.key, { operation });
  return recordFailure(context, row, outcome);
}

type Made = Extract<Outcome<Item>, { kind: 'applied' }>;

/** If we fail on what the server made, the pair is kept all the same: it would be made a second time otherwise. */
function recordCreate(context: Context, operation: CreateOperation, answer: Made): void {
  const { store } = context;
  const { item } = answer;
  try {
    recordPair(context, operation, answer);
  } catch (fault) {
    const link = store.links.byId(operation.link);
    if (link !== null && isFault(context, fault)) store.links.save({ ...withEnd(link, item), claim: null });
    throw fault;
  }
}

const withEnd = (link: Link, item: Item): Link =>
  item.kind === 'bug' ? { ...link, bug: item.id, tracker: item } : { ...link, issue: item.number, github: item };

/** Records a new counterpart: the link is whole, and its base holds the values of the server's answer. */
function recordPair(context: Context, operation: CreateOperation, { item, foreign = [] }: Made): void {
  const { store } = context;
  store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    // The new item is not filed again: what had its number is gone.
    const former = linkOf(context, operation.on, refOf(item));
    if (former !== null && former.id !== link.id) letGo(context, former, operation.on);
    const seen = withEnd(link, item);
    const answered = fieldsOn(context, seen, operation.on);
    // A counterpart made by the bridge names its original from the start.
    const pointed = { ...link.pointed, [operation.on]: true };
    const untaken = ignoredIn(context, link, { target: operation.target, replaces: {} }, item);
    const base = withoutIgnored(baseOfCreated(operation.on, { ...operation, foreign }, answered), untaken);
    store.links.save({ ...seen, claim: null, pointed, base });
    // Whatever was marked was one end: the pair is made now.
    store.olderPairs.unmark(link.id);
    const commentLink = operation.commentLink === null ? null : store.commentLinks.byId(operation.commentLink);
    if (commentLink !== null) recordText(context, operation, seen, commentLink, item);
    recordDone(context, operation, seen, { made: item.url, ...deviations(operation.target, answered) });
    markDependentsDirty(context, seen);
  });
}

function recordText(
  context: Context,
  operation: CreateOperation,
  link: Link,
  commentLink: CommentLink,
  item: Item,
): void {
  const { commentLinks } = context.store;
  const { parts } = operation;
  const { digest: mirrored, isStale, copy: known } = commentLink;
  if (operation.on === 'tracker' || item.kind === 'bug') {
    // The comment id of a bug's description is known once its thread is read.
    commentLinks.save(commentAfter(commentLink, { kind: 'copied', copy: known, mirrored, parts, isStale }));
    return;
  }
  const copy = { id: bodyId, digest: bodyDigest(item.body), isEdited: false, minimize: null };
  const { body } = operation.draft;
  const made = commentAfter(commentLink, { kind: 'copied', copy, wrote: bodyDigest(body), mirrored, parts, isStale });
  // Rendering the body needs to know that it is this comment's copy, so that is stored first.
  commentLinks.save(made);
  const copied = withMentions(context, link, made, body);
  commentLinks.save(parts > 1 || copied.isStale ? copied : { ...copied, text: null });
}
