import type { Context, RouteState } from '../../kernel/context.ts';
import { type Ends, keepFields, keepPointer, lineOf } from '../../kernel/outbox.ts';
import type { Side } from '../../model/ids.ts';
import type { Comment, FieldName, Fields, Item } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { Lost } from '../../model/outcome.ts';
import type { Operation, UpdateOperation } from '../../model/plan/operation.ts';
import { bodyDigest } from '../../rules/comments/body.ts';
import { newCommentLink, originOn } from '../../rules/comments/life.ts';
import { copyNow } from '../../rules/comments/render.ts';
import { ignoredFields } from '../../rules/fields/left-out.ts';
import { advance, midway, ofSetsWhatShows } from '../../rules/fields/move-base.ts';
import { namesIssue, pointKey } from '../../rules/links/match.ts';
import { bugDigest } from '../../rules/privacy/gate.ts';
import { digestOf, equalValues, namesIn, sorted } from '../../text/canonical.ts';
import { correctionsOf, fieldsOn, losersOf, pickFields } from '../observe/fields-on.ts';
import { retryRefused } from '../observe/mentions.ts';
import { textInputOf } from '../observe/select.ts';

/** The result of an update on the server. `item` is null when the server had all values already. */
export interface Answer {
  readonly item: Item | null;
  readonly lost?: readonly Lost[];
  readonly foreign?: readonly FieldName[];
}

/** Records an update: both sides agree on its values. The row in the outbox stays until the whole operation is done. */
export function recordUpdate(context: Context, operation: UpdateOperation, answer: Answer): Link {
  return context.store.transaction(() => recordAnswer(context, operation, answer));
}

/**
 * Records a step before the last: the base gets all values but the status, and of sets the elements that show. The
 * intermediate status is recorded as ours, so that after a crash here it does not look like an edit by a person; a
 * foreign status is one. Corrections are recorded once, with the last step.
 */
export function recordStep(context: Context, operation: UpdateOperation, answer: Answer): Link {
  const isForeign = answer.foreign?.includes('status') ?? false;
  const { status: source, ...rest } = operation.source;
  const { store } = context;
  return store.transaction(() => {
    const link = rowStillThere(store.links.byId(operation.link));
    const shown = fieldsOn(context, answer.item === null ? link : withSeen(link, answer.item), operation.on);
    const target = ofSetsWhatShows(operation.target, shown);
    const saved = recordAnswer(
      context,
      { ...operation, source: isForeign ? operation.source : rest, target, corrects: [] },
      answer,
    );
    const { status } = fieldsOn(context, saved, operation.on);
    if (isForeign || source === undefined || typeof status !== 'string' || saved.base === null) return saved;
    const stepped: Link = { ...saved, base: midway(saved.base, status) };
    store.links.save(stepped);
    return stepped;
  });
}

function recordAnswer(context: Context, operation: UpdateOperation, { item, lost = [], foreign = [] }: Answer): Link {
  const link = rowStillThere(context.store.links.byId(operation.link));
  const before = pickFields(fieldsOn(context, link, operation.on), operation.target);
  const seen = item === null ? link : withSeen(link, item);
  const answered = fieldsOn(context, seen, operation.on, operation.target);
  const isNamed = operation.isPointing === true && namesIssue(context.route, seen);
  const pointed = isNamed ? { ...seen.pointed, tracker: true } : seen.pointed;
  const saved: Link = { ...seen, pointed, base: advance(link.base, operation.on, { ...operation, foreign }, answered) };
  context.store.links.save(saved);
  if (item?.kind === 'issue') retryRefused(context, link.github, item);
  if (item !== null && operation.on === 'tracker') keepFields(context, operation, [link, seen], [before, answered]);
  const after = pickFields(answered, operation.target);
  const detail = {
    before,
    after,
    overruled: losersOf(operation),
    ...correctionsOf(operation),
    overwritten: lost,
    ...(isClosedAsDuplicate(operation) ? { original: operation.duplicateOf } : {}),
    ...deviations(operation.target, answered),
    ...(isNamed && !link.pointed.tracker ? { names: seen.github?.url } : {}),
  };
  if (isNamed && seen.tracker !== null)
    keepPointer(context, { key: pointKey(link.id, 'tracker'), link: link.id }, seen.tracker.changedAt);
  noteInLedger(context, operation, saved, detail);
  return saved;
}

const isClosedAsDuplicate = ({ on, target }: UpdateOperation): boolean =>
  on === 'github' && target.status === 'duplicate';

/** The bug with our pointer. Its visibility check stays valid if only the URL of its own issue is new. */
export function withOwnPointer(link: Link, item: Item): Link {
  const seen = withSeen(link, item);
  const { tracker, visibility } = link;
  if (item.kind !== 'bug' || tracker === null || visibility?.of !== bugDigest(tracker)) return seen;
  const isOnlyThat = bugDigest({ ...item, seeAlso: tracker.seeAlso }) === visibility.of;
  return isOnlyThat ? { ...seen, visibility: { ...visibility, of: bugDigest(item) } } : seen;
}

/** The fields of an update that GitHub answered without taking them. */
export function ignoredIn(
  context: RouteState,
  link: Link,
  { target, replaces }: Pick<UpdateOperation, 'target' | 'replaces'>,
  item: Item,
): readonly FieldName[] {
  if (item.kind === 'bug') return [];
  const shown = fieldsOn(context, withSeen(link, item), 'github', target);
  return ignoredFields(context.route, { target, replaces }, item, shown);
}

/** Whether GitHub left all labels as they were, where labels are all that an update corrects. */
export const leavesLabels = (link: Link, { on, target }: UpdateOperation, item: Item): boolean =>
  on === 'github' &&
  Object.keys(target).length === 0 &&
  item.kind === 'issue' &&
  equalValues(sorted(item.labels), sorted(link.github?.labels ?? []));

/** Stores what an answer shows of an item of which it changed nothing. */
export function recordSeen({ store }: RouteState, link: Link, item: Item): Link {
  const seen = withSeen(rowStillThere(store.links.byId(link.id)), item);
  store.links.save(seen);
  return seen;
}

/** Records a comment of the bridge's own, so that it is not mirrored as a person's. */
export function addOwn(context: RouteState, link: Link, side: Side, comment: Comment, remark?: string): void {
  const { id, count, author, url, createdAt, text } = comment;
  if (
    context.store.commentLinks
      .ofLink(link.id)
      .some((commentLink) => commentLink.origin === side && commentLink.source === id)
  )
    return;
  const place = { link: link.id, source: id, count, author, url, createdAt };
  const says = { text: null, digest: digestOf(text), ...(remark === undefined ? {} : { remark }) };
  context.store.commentLinks.add(newCommentLink({ ...originOn(side), ...place, ...says }, 'the bridge wrote it'));
}

function withSeen(link: Link, item: Item): Link {
  return item.kind === 'bug' ? { ...link, tracker: item } : { ...link, github: item };
}

/** The fields for which the server answered another value than it was sent. */
export function deviations(target: Fields, answered: Fields): { readonly deviates?: readonly FieldName[] } {
  const deviates = namesIn(target).filter(
    (name) => target[name] !== undefined && !equalValues(target[name], answered[name]),
  );
  return deviates.length > 0 ? { deviates } : {};
}

/** Takes the operation out of the outbox and puts it into the ledger, in the transaction of what it changed. */
export function recordDone(
  context: Context,
  operation: Operation,
  link: Ends,
  detail: Readonly<Record<string, unknown>>,
): void {
  context.store.outbox.remove(operation.key);
  noteInLedger(context, operation, link, detail);
}

function noteInLedger(
  context: Context,
  { on, kind }: Operation,
  link: Ends,
  detail: Readonly<Record<string, unknown>>,
): void {
  context.store.ledger.add({ ...lineOf(context, link, kind, detail), on, outcome: 'applied' });
}

export function rowStillThere<T extends Link | CommentLink>(row: T | null): T {
  if (row === null) throw new Error('A link was removed while it was written to');
  return row;
}

/**
 * Stores the mentions of a copy that was just written. Call it while the comment link still has its text. Returns the
 * comment link, marked stale if the rendering changed while the copy was being written, or if it must not be shown at
 * this moment.
 */
export function withMentions(context: Context, link: Link, commentLink: CommentLink, sent: string): CommentLink {
  if (commentLink.origin !== 'tracker') return commentLink;
  const copy = copyNow(context.route, textInputOf(context, link, commentLink), commentLink.id);
  if (copy === null) return { ...commentLink, isStale: true };
  context.store.mentions.replace(commentLink.id, copy.mentions);
  return bodyDigest(copy.texts[0] ?? '') === bodyDigest(sent) ? commentLink : { ...commentLink, isStale: true };
}
