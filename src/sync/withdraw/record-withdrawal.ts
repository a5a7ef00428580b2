import type { Context, RouteState } from '../../kernel/context.ts';
import type { AttachmentLinkId } from '../../model/ids.ts';
import type { Fields, Issue } from '../../model/item.ts';
import { type Base, bodyId, type CommentLink, type Link, type SettledFields } from '../../model/link.ts';
import type { Withdrawal } from '../../model/plan/withdrawal.ts';
import { withoutPath } from '../../rules/attachments/life.ts';
import { bodyDigest } from '../../rules/comments/body.ts';
import { commentAfter } from '../../rules/comments/life.ts';
import { isOpenView, openDespite } from '../../rules/fields/status.ts';
import { isTitledAway } from '../../rules/plan/moves.ts';
import { isNeutralTitle, saysWhoFiled } from '../../rules/privacy/neutral.ts';
import { isPeoples } from '../../rules/privacy/plan-withdrawal.ts';
import { namesIn } from '../../text/canonical.ts';
import { fieldsOn } from '../observe/fields-on.ts';
import { hideFile, resolveComment, resolveLink } from '../observe/mentions.ts';

/** One item was withdrawn from GitHub, or restored. `shown` is the current issue, if the answer contained it. */
export function recordWithdrawal(context: Context, withdrawal: Withdrawal, shown: Issue | null): void {
  const { store } = context;
  store.transaction(() => {
    const link = store.links.byId(withdrawal.link);
    if (link === null) return;
    const seen: Link = shown === null ? link : { ...link, github: shown };
    if (shown !== null) store.links.save(seen);
    if (withdrawal.what === 'issue' || withdrawal.what === 'lock') resolveLink(context, seen);
    if (withdrawal.what === 'comment') withCommentLink(context, seen, withdrawal.commentLink, erased);
    if (withdrawal.what === 'text' && withdrawal.commentLink !== null)
      withCommentLink(context, seen, withdrawal.commentLink, (each) => redacted(each, shown));
    if (withdrawal.what === 'issue')
      for (const commentLink of bodies(context, seen)) store.commentLinks.save(redacted(commentLink, shown));
    if (withdrawal.what === 'file') takeOff(context, withdrawal.attachmentLink);
    if (withdrawal.what === 'open') store.links.save(reopened(context, seen));
  });
}

function withCommentLink(
  context: RouteState,
  link: Link,
  id: CommentLink['id'],
  change: (commentLink: CommentLink) => CommentLink,
): void {
  const commentLink = context.store.commentLinks.byId(id);
  if (commentLink === null) return;
  context.store.commentLinks.save(change(commentLink));
  resolveComment(context, link, commentLink);
}

const bodies = ({ store }: RouteState, { id }: Link): readonly CommentLink[] =>
  store.commentLinks.ofLink(id).filter(({ origin, copy }) => origin === 'tracker' && copy?.id === bodyId);

/**
 * A further part of a text is written again with the first; it waits for nothing else. An explanation is not repeated.
 */
function erased(commentLink: CommentLink): CommentLink {
  const reason = 'its original is not public';
  if (commentLink.remark !== undefined)
    return commentAfter(commentLink, { kind: 'deleted', reason, isCopyLeft: true, isToReport: false });
  return commentAfter(commentLink, commentLink.part > 1 ? { kind: 'erased', reason } : { kind: 'cleared' });
}

/**
 * The body remains the copy of the description, and shows our neutral text: it is rewritten once the description may be
 * shown.
 */
const redacted = (commentLink: CommentLink, shown: Issue | null): CommentLink =>
  commentAfter(commentLink, { kind: 'redacted', digest: shown === null ? null : bodyDigest(shown.body) });

function takeOff(context: RouteState, id: AttachmentLinkId): void {
  const { attachmentLinks } = context.store;
  const file = attachmentLinks.byId(id);
  if (file !== null) attachmentLinks.save(withoutPath(hideFile(context, file)));
}

/**
 * The issue's current values count as agreed by both, so that all of the bug's values travel to it, and none comes
 * back. A title that people gave is compared with what it was before: on an issue that began on GitHub, where nobody
 * knows which side changed it if that is unknown, and on an issue that its bug was about to leave. The status that a
 * cutover gave the bug does not travel.
 */
export function reopened(context: Context, link: Link): Link {
  const shown = fieldsOn(context, link, 'github');
  const isOfPeople = isPeoples({ commentLinks: context.store.commentLinks.ofLink(link.id) });
  const [title, bug] = [link.github?.title ?? '', link.bug ?? 0];
  const isShown = !isNeutralTitle(title, bug) && !isTitledAway(title, bug);
  const isStill = link.movedTo === null && link.base !== null && isShown;
  // An older state may find an issue that was locked for a withdrawal, and nothing else: all values are people's still.
  const isOnlyLocked = context.store.olderPairs.get(link.id) !== null && saysWhoFiled(link.github?.body ?? '');
  if (link.isWithdrawn && isOnlyLocked && isStill) return { ...link, isWithdrawn: false, urgency: 'live' };
  const isOwn = (isOfPeople && isShown) || (!link.isWithdrawn && isStill);
  const { status } = fieldsOn(context, link, 'tracker');
  const agreed = openDespite(link.base, status) === null ? shown : withStatus(shown, status);
  const base: Base = isOwn
    ? { tracker: withTitle(agreed, link.base?.tracker.title), github: withTitle(shown, link.base?.github.title) }
    : { tracker: agreed, github: shown };
  settle(context, link, isOwn ? withTitle(shown, undefined) : shown);
  return { ...link, isWithdrawn: false, base, urgency: 'live' };
}

/**
 * The bug of an issue that said where it had moved is back. If it came back because its tracker went back, what both
 * sides agreed on before it left counts, as in all other pairs of that tracker; of the issue, only that we closed it
 * is not what people did.
 */
export function returned(context: Context, link: Link): Link {
  const { id, base, bug, github, isWithdrawn } = link;
  const isPutBack = context.store.olderPairs.get(id)?.isTrackerOlder === true;
  if (!isPutBack || base === null || isWithdrawn || isNeutralTitle(github?.title ?? '', bug ?? 0))
    return reopened(context, link);
  const { status } = fieldsOn(context, link, 'github');
  const isLeftOpen = isOpenView(String(base.github.status)) && !isOpenView(String(status));
  if (!isLeftOpen) return link;
  settle(context, link, withStatus({}, status));
  return { ...link, base: { tracker: withStatus(base.tracker, status), github: withStatus(base.github, status) } };
}

/**
 * Of an older pair, too, that base says which side changed these fields: what people wrote while the issue was
 * withdrawn does not cross.
 */
function settle({ store }: RouteState, { id }: Link, fields: Fields): void {
  const older = store.olderPairs.get(id);
  const given = namesIn(fields).filter((field) => fields[field] !== undefined);
  const settled: SettledFields = Object.fromEntries(given.map((field) => [field, 'base' as const]));
  if (older !== null) store.olderPairs.settle(id, { ...older.settled, ...settled });
}

const withStatus = (fields: Fields, status: Fields['status']): Fields =>
  status === undefined ? fields : { ...fields, status };

function withTitle({ title: _shown, ...rest }: Fields, title: Fields['title']): Fields {
  return title === undefined ? rest : { ...rest, title };
}
