import { attachmentAfter } from '../attachments/life.ts';
import { readFilesOf } from '../attachments/read.ts';
import { recordLost } from '../fields/confirm.ts';
import type { Context } from '../kernel/context.ts';
import { sinceBefore } from '../kernel/pause.ts';
import { dueAt, inVain, receiptOf, saveReceipt, seeComments } from '../kernel/receipts.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { Receipt, ReportedComment, ReportedFile } from '../model/receipt.ts';
import { withoutCopy } from '../privacy/hide.ts';
import { commentAfter, withCopy } from './life.ts';
import { readSide } from './read-threads.ts';

/**
 * Looks for the comments and files that the tracker said it had stored and that no reading has shown. One that is nowhere is written again:
 * a comment only after a second look, as threads may come from a database that lags behind, and a comment cannot be taken back. Throws
 * `SideError`.
 */
export async function confirmThreads(context: Context): Promise<void> {
  const { store, route } = context;
  const open = store.receipts.ofRoute(route.name).flatMap(({ link: id }) => {
    const link = store.links.byId(id);
    return link?.state === 'live' && link.bug !== null ? [{ id, bug: link.bug }] : [];
  });
  const asks = open.flatMap(({ id, bug }) => dueComments(context, id).map(({ at }) => ({ ref: bug, sinceAt: sinceBefore(at) })));
  await readSide(context, 'tracker', asks);
  for (const { id } of open) await lookForComments(context, id);
  const filed = open.flatMap(({ id }) => (dueFiles(context, id).length > 0 ? (store.links.byId(id) ?? []) : []));
  // Of a bug whose files could not be listed nothing is known, and the file is asked for again in the next cycle.
  const read = await readFilesOf(context, filed);
  store.transaction(() => {
    for (const link of read) for (const file of dueFiles(context, link.id)) loseFile(context, link, file);
  });
}

const dueComments = ({ store, clock, limits }: Context, id: Link['id']): readonly ReportedComment[] =>
  receiptOf(store, id).comments.filter((told) => dueAt(told, limits.settleMs) <= clock.now());

const dueFiles = ({ store, clock, limits }: Context, id: Link['id']): readonly ReportedFile[] =>
  receiptOf(store, id).files.filter(({ answeredAt }) => answeredAt + limits.settleMs <= clock.now());

/** What its thread does not show may be there all the same, private by now. */
async function lookForComments(context: Context, id: Link['id']): Promise<void> {
  const { store, tracker } = context;
  for (const told of dueComments(context, id)) {
    const isThere = await tracker.hasComment(told.id);
    store.transaction(() => {
      if (isThere) seeComments(context, id, new Set([told.id]));
      else if (told.looks > 0) loseComment(context, id, told);
      else saveReceipt(store, withComment(receiptOf(store, id), told, [{ ...told, looks: told.looks + 1 }]));
    });
  }
}

const withComment = (receipt: Receipt, { id }: ReportedComment, by: readonly ReportedComment[]): Receipt => ({
  ...receipt,
  comments: receipt.comments.flatMap((each) => (each.id === id ? by : [each])),
});

/** The comment link is as it was before the comment was written, so that the same is planned again. */
function loseComment(context: Context, id: Link['id'], told: ReportedComment): void {
  const { store } = context;
  const link = store.links.byId(id);
  if (link === null) return;
  const commentLinks = store.commentLinks.ofLink(id);
  for (const commentLink of commentLinks) for (const undone of withoutComment(commentLink, told)) store.commentLinks.save(undone);
  const pointed = told.tells === 'pointer' ? { ...link.pointed, tracker: false } : link.pointed;
  store.links.save({ ...link, pointed, urgency: 'live' });
  saveReceipt(store, inVain(withComment(receiptOf(store, id), told, []), told.key));
  recordLost(context, link, { operation: told.tells === 'pointer' ? 'point' : 'comment' });
}

function withoutComment(
  commentLink: CommentLink,
  { id, commentLink: of, tells, part, digest, was }: ReportedComment,
): readonly CommentLink[] {
  const { copy } = commentLink;
  // The bridge's own comment, as it is known on the tracker.
  if (commentLink.origin === 'tracker' && commentLink.source === id && commentLink.part === 1)
    return [commentAfter(commentLink, { kind: 'deleted', reason: notKept, isCopyLeft: true, isToTell: false })];
  if (part > 1) return copy?.id === id && commentLink.part === part ? [withoutCopy(commentLink)] : [];
  if (commentLink.id !== of) return [];
  if (tells === 'deletion') return [{ ...commentLink, isStale: true }];
  if (tells === 'edit') {
    // A later report says it all.
    const said = copy?.id === bodyId ? copy.digest : commentLink.mirrored;
    if (said !== digest || was === null) return [];
    const { copy: copyWas, ...rest } = was;
    return [{ ...withCopy(commentLink, copyWas), ...rest }];
  }
  return copy?.id === id ? [commentAfter(commentLink, { kind: 'lost' })] : [];
}

const notKept = 'the tracker did not keep it';

function loseFile(context: Context, { id }: Link, told: ReportedFile): void {
  const { store } = context;
  const [link, attachmentLink] = [store.links.byId(id), store.attachmentLinks.byId(told.attachmentLink)];
  const receipt = receiptOf(store, id);
  saveReceipt(store, inVain({ ...receipt, files: receipt.files.filter((each) => each.id !== told.id) }, told.key));
  if (link === null || attachmentLink?.origin !== 'github' || attachmentLink.copy?.id !== told.id) return;
  store.attachmentLinks.save(attachmentAfter(attachmentLink, { kind: 'lost' }));
  store.links.save({ ...link, urgency: 'live' });
  recordLost(context, link, { operation: 'file' });
}
