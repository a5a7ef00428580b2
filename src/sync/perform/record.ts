import type { Context } from '../../kernel/context.ts';
import { linkOf } from '../../kernel/linked.ts';
import { type Ends, keepComment, keepFields, keepNews, keepPointer, keepPull, lineOf } from '../../kernel/outbox.ts';
import type { Side } from '../../model/ids.ts';
import { type Comment, type FieldName, type Fields, type Item, refOf } from '../../model/item.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { Lost } from '../../model/outcome.ts';
import type { CreateOperation, Operation, PointOperation, RemarkOperation, UpdateOperation } from '../../model/plan/operation.ts';
import type { LinkPull } from '../../model/pulls/pull.ts';
import type { LinkPush } from '../../model/pulls/push.ts';
import type { ToldPull } from '../../model/pulls/told.ts';
import { commentAfter, newCommentLink, originOn } from '../../rules/comments/life.ts';
import { copyNow, type Rendered } from '../../rules/comments/render.ts';
import { bodyDigest } from '../../rules/comments/thread.ts';
import { advance, baseOfCreated, midway, ofSetsWhatShows } from '../../rules/fields/move-base.ts';
import { namesIssue, pointKey } from '../../rules/links/match.ts';
import { bugDigest } from '../../rules/privacy/gate.ts';
import { unmarked } from '../../text/autolinks.ts';
import { digestOf, equalValues, namesIn } from '../../text/canonical.ts';
import { pullRemark, pushRemark, withoutFooter } from '../../text/marker.ts';
import { correctionsOf, fieldsOn, losersOf, pick } from '../observe/fields-on.ts';
import { markDependentsDirty, retryRefused } from '../observe/mentions.ts';
import { planInputOf } from '../observe/select.ts';
import { letGo } from '../observe/went-back.ts';

/** Records a new counterpart: the link is whole, and its base holds the values of the server's answer. */
export function recordCreate(context: Context, operation: CreateOperation, item: Item): void {
  const { store } = context;
  store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    // The new item is not filed again: what had its number is gone.
    const former = linkOf(context, operation.on, refOf(item));
    if (former !== null && former.id !== link.id) letGo(context, former, operation.on);
    const seen: Link = item.kind === 'bug' ? { ...link, bug: item.id, tracker: item } : { ...link, issue: item.number, github: item };
    const answered = fieldsOn(context, seen, operation.on);
    // A counterpart made by the bridge names its original from the start.
    const pointed = { ...link.pointed, [operation.on]: true };
    store.links.save({ ...seen, claim: null, pointed, base: baseOfCreated(operation.on, operation, answered) });
    const commentLink = operation.commentLink === null ? null : store.commentLinks.byId(operation.commentLink);
    if (commentLink !== null) recordText(context, operation, seen, commentLink, item);
    recordDone(context, operation, seen, { made: item.url, ...deviations(operation.target, answered) });
    markDependentsDirty(context, seen);
  });
}

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
 * Records a step before the last: the base gets all values but the status, and of sets the elements that show. The intermediate status is
 * recorded as ours, so that after a crash here it does not look like an edit by a person; a foreign status is one. Corrections are recorded once, with the last step.
 */
export function recordStep(context: Context, operation: UpdateOperation, answer: Answer): Link {
  const isForeign = answer.foreign?.includes('status') ?? false;
  const { status: source, ...rest } = operation.source;
  const { store } = context;
  return store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    const shown = fieldsOn(context, answer.item === null ? link : withSeen(link, answer.item), operation.on);
    const target = ofSetsWhatShows(operation.target, shown);
    const saved = recordAnswer(context, { ...operation, source: isForeign ? operation.source : rest, target, corrects: [] }, answer);
    const { status } = fieldsOn(context, saved, operation.on);
    if (isForeign || source === undefined || typeof status !== 'string' || saved.base === null) return saved;
    const stepped: Link = { ...saved, base: midway(saved.base, status) };
    store.links.save(stepped);
    return stepped;
  });
}

function recordAnswer(context: Context, operation: UpdateOperation, { item, lost = [], foreign = [] }: Answer): Link {
  const link = found(context.store.links.byId(operation.link));
  const before = pick(fieldsOn(context, link, operation.on), operation.target);
  const seen = item === null ? link : withSeen(link, item);
  const answered = fieldsOn(context, seen, operation.on, operation.target);
  const isNamed = operation.isPointing === true && namesIssue(context.route, seen);
  const pointed = isNamed ? { ...seen.pointed, tracker: true } : seen.pointed;
  const saved: Link = { ...seen, pointed, base: advance(link.base, operation.on, { ...operation, foreign }, answered) };
  context.store.links.save(saved);
  if (item?.kind === 'issue') retryRefused(context, link.github, item);
  if (item !== null && operation.on === 'tracker') keepFields(context, operation, [link, seen], [before, answered]);
  const after = pick(answered, operation.target);
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
  if (isNamed && seen.tracker !== null) keepPointer(context, { key: pointKey(link.id, 'tracker'), link: link.id }, seen.tracker.changedAt);
  tell(context, operation, saved, detail);
  return saved;
}

const isClosedAsDuplicate = ({ on, target }: UpdateOperation): boolean => on === 'github' && target.status === 'duplicate';

export function recordPoint(context: Context, operation: PointOperation, item: Item | Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    const seen = 'kind' in item ? withOwnPointer(link, item) : link;
    store.links.save({ ...seen, pointed: { ...link.pointed, [operation.on]: true } });
    if (!('kind' in item)) {
      addOwn(context, link, operation.on, item);
      if (operation.on === 'tracker') keepComment(context, operation, null, item);
    } else if (item.kind === 'bug' && namesIssue(context.route, seen)) keepPointer(context, operation, item.changedAt);
    recordDone(context, operation, seen, { names: operation.on === 'tracker' ? link.github?.url : link.tracker?.url });
  });
}

export function recordRemark(context: Context, operation: Rendered<RemarkOperation>, comment: Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    addOwn(context, link, 'github', comment, operation.remark);
    recordDone(context, operation, link, { made: comment.url, says: unmarked(withoutFooter(operation.text)) });
  });
}

/** Records that a bug was told of a pull request. A comment that came with a change of the bug, or with an attachment, is read with the thread. */
export function recordPull(
  context: Context,
  operation: Operation<'pull'>,
  pull: LinkPull,
  { item, shown, changed, sentAt }: ToldPull,
): void {
  const { store } = context;
  store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    const { tells } = operation;
    const seen = item !== null && 'kind' in item ? withOwnPointer(link, item) : link;
    store.links.save(seen);
    const comment = item !== null && !('kind' in item) ? item : null;
    if (tells !== null) {
      const remark = pullRemark(tells, pull.url);
      if (comment !== null) addOwn(context, link, 'tracker', comment, remark);
      keepNews(context, operation, remark, comment ?? sentAt);
    } else if (changed !== null && shown !== null) keepPull(context, operation, { attachment: changed, was: pull.shown, expected: shown });
    store.pulls.save({ ...pull, shown, told: tells === null ? pull.told : [...pull.told, tells] });
    recordDone(context, operation, seen, { of: pull.url, tells: tells ?? 'changed' });
  });
}

export function recordPush(context: Context, operation: Operation<'push'>, push: LinkPush, comment: Comment): void {
  const { store } = context;
  store.transaction(() => {
    const link = found(store.links.byId(operation.link));
    addOwn(context, link, 'tracker', comment, pushRemark(push.url));
    keepNews(context, operation, pushRemark(push.url), comment);
    store.pushes.save({ ...push, isTold: true });
    recordDone(context, operation, link, { of: push.url });
  });
}

/** The bug with our pointer. Its visibility check stays valid if only the URL of its own issue is new. */
function withOwnPointer(link: Link, item: Item): Link {
  const seen = withSeen(link, item);
  const { tracker, visibility } = link;
  if (item.kind !== 'bug' || tracker === null || visibility?.of !== bugDigest(tracker)) return seen;
  const isOnlyThat = bugDigest({ ...item, seeAlso: tracker.seeAlso }) === visibility.of;
  return isOnlyThat ? { ...seen, visibility: { ...visibility, of: bugDigest(item) } } : seen;
}

/** Records a comment of the bridge's own, so that it is not mirrored as a person's. */
export function addOwn(context: Context, link: Link, side: Side, comment: Comment, remark?: string): void {
  const { id, count, author, url, createdAt, text } = comment;
  if (context.store.commentLinks.ofLink(link.id).some((commentLink) => commentLink.origin === side && commentLink.source === id)) return;
  const place = { link: link.id, source: id, count, author, url, createdAt };
  const says = { text: null, digest: digestOf(text), ...(remark === undefined ? {} : { remark }) };
  context.store.commentLinks.add(newCommentLink({ ...originOn(side), ...place, ...says }, 'the bridge wrote it'));
}

function recordText(context: Context, operation: CreateOperation, link: Link, commentLink: CommentLink, item: Item): void {
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

function withSeen(link: Link, item: Item): Link {
  return item.kind === 'bug' ? { ...link, tracker: item } : { ...link, github: item };
}

/** The fields for which the server answered another value than it was sent. */
function deviations(target: Fields, answered: Fields): { readonly deviates?: readonly FieldName[] } {
  const deviates = namesIn(target).filter((name) => target[name] !== undefined && !equalValues(target[name], answered[name]));
  return deviates.length > 0 ? { deviates } : {};
}

/** Takes the operation out of the outbox and puts it into the ledger, in the transaction of what it changed. */
export function recordDone(context: Context, operation: Operation, link: Ends, detail: Readonly<Record<string, unknown>>): void {
  context.store.outbox.remove(operation.key);
  tell(context, operation, link, detail);
}

export function tell(context: Context, { on, kind }: Operation, link: Ends, detail: Readonly<Record<string, unknown>>): void {
  context.store.ledger.add({ ...lineOf(context, link, kind, detail), on, outcome: 'applied' });
}

export function found<T extends Link | CommentLink>(row: T | null): T {
  if (row === null) throw new Error('A link was removed while it was written to');
  return row;
}

/**
 * Stores the mentions of a copy that was just written. Call it while the comment link still has its text. Returns the comment link, marked stale
 * if the rendering changed while the copy was being written, or if it must not be shown at this moment.
 */
export function withMentions(context: Context, link: Link, commentLink: CommentLink, sent: string): CommentLink {
  if (commentLink.origin !== 'tracker') return commentLink;
  const copy = copyNow(context.route, planInputOf(context, link), commentLink.id);
  if (copy === null) return { ...commentLink, isStale: true };
  context.store.mentions.replace(commentLink.id, copy.mentions);
  return bodyDigest(copy.texts[0] ?? '') === bodyDigest(sent) ? commentLink : { ...commentLink, isStale: true };
}
