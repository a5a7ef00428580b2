/**
 * Takes back what was recorded of writes that the tracker reported as stored and lost, so that they are planned again.
 */

import type { RouteState } from '../../kernel/context.ts';
import { inVain, receiptOf, saveReceipt } from '../../kernel/outbox.ts';
import { bodyId, type CommentLink, type Link } from '../../model/link.ts';
import type { OperationKind } from '../../model/plan/operation.ts';
import type { Receipt, ReportedComment, ReportedFile } from '../../model/receipt.ts';
import { attachmentAfter } from '../../rules/attachments/life.ts';
import { withoutCopy } from '../../rules/comments/hide.ts';
import { commentAfter, withCopy } from '../../rules/comments/life.ts';
import { fixedRemark } from '../../text/marker.ts';
import { forgetFixed } from '../perform/fixed-by.ts';
import { recordLost } from './confirm.ts';
import { forgetNews } from './confirm-pulls.ts';

/** Whether both are the same write, as it was read from the store at different times. */
export const isSame = (one: ReportedComment, other: ReportedComment): boolean =>
  one.key === other.key && one.id === other.id && one.remark === other.remark;

export const withComment = (receipt: Receipt, reported: ReportedComment, by: readonly ReportedComment[]): Receipt => ({
  ...receipt,
  comments: receipt.comments.flatMap((each) => (isSame(each, reported) ? by : [each])),
});

/**
 * Restores the comment link from before the write, so that the comment is planned again; or the news, so that they are
 * told again.
 */
export function loseComment(context: RouteState, id: Link['id'], reported: ReportedComment): void {
  const { store } = context;
  const link = store.links.byId(id);
  if (link === null) return;
  const commentLinks = store.commentLinks.ofLink(id);
  for (const commentLink of commentLinks)
    for (const undone of withoutComment(commentLink, reported)) store.commentLinks.save(undone);
  if (isOfFix(reported)) forgetFixed(context, id);
  if (reported.remark !== undefined) forgetNews(context, id, reported.remark);
  const pointed = reported.tells === 'pointer' ? { ...link.pointed, tracker: false } : link.pointed;
  store.links.save({ ...link, pointed, urgency: 'live' });
  saveReceipt(store, inVain(withComment(receiptOf(store, id), reported, []), reported.key));
  recordLost(context, link, { operation: operationOf(reported) });
}

/** Whether it named what fixed the bug, and went with the change that closed it. */
const isOfFix = ({ remark }: ReportedComment): boolean => remark?.startsWith(fixedRemark('')) === true;

function operationOf(reported: ReportedComment): OperationKind {
  const { tells, remark } = reported;
  if (isOfFix(reported)) return 'update';
  if (tells === 'news') return remark?.startsWith('pull') ? 'pull' : 'push';
  return tells === 'pointer' ? 'point' : 'comment';
}

function withoutComment(
  commentLink: CommentLink,
  { id, commentLink: of, tells, part, digest, was }: ReportedComment,
): readonly CommentLink[] {
  const { copy } = commentLink;
  // The bridge's own comment, as it was answered. It says nothing of what it was to say.
  if (commentLink.origin === 'tracker' && commentLink.source === id && commentLink.part === 1) {
    const { remark: _unsaid, ...own } = commentLink;
    return [commentAfter(own, { kind: 'deleted', reason: notKept, isCopyLeft: true, isToReport: false })];
  }
  if (part > 1) return copy?.id === id && commentLink.part === part ? [withoutCopy(commentLink)] : [];
  if (commentLink.id !== of) return [];
  if (tells === 'deletion') return [{ ...commentLink, isStale: true }];
  if (tells === 'edit') {
    // A later report contains everything.
    const said = copy?.id === bodyId ? copy.digest : commentLink.mirrored;
    if (said !== digest || was === null) return [];
    const { copy: copyWas, ...rest } = was;
    return [{ ...withCopy(commentLink, copyWas), ...rest }];
  }
  return copy?.id === id ? [commentAfter(commentLink, { kind: 'lost' })] : [];
}

const notKept = 'the tracker did not keep it';

export function loseFile(context: RouteState, { id }: Link, reported: ReportedFile): void {
  const { store } = context;
  const [link, attachmentLink] = [store.links.byId(id), store.attachmentLinks.byId(reported.attachmentLink)];
  const receipt = receiptOf(store, id);
  saveReceipt(
    store,
    inVain({ ...receipt, files: receipt.files.filter((each) => each.id !== reported.id) }, reported.key),
  );
  if (link === null || attachmentLink?.origin !== 'github' || attachmentLink.copy?.id !== reported.id) return;
  store.attachmentLinks.save(attachmentAfter(attachmentLink, { kind: 'lost' }));
  store.links.save({ ...link, urgency: 'live' });
  recordLost(context, link, { operation: 'file' });
}
