import { attachmentAfter } from '../attachments/life.ts';
import { readFilesOf } from '../attachments/read.ts';
import { recordLost } from '../fields/confirm.ts';
import type { Context } from '../kernel/context.ts';
import { dueAt, inVain, receiptOf, saveReceipt, seeComments } from '../kernel/outbox.ts';
import { sinceBefore } from '../kernel/pause.ts';
import { bodyId, type CommentLink, type Link } from '../model/link.ts';
import type { Receipt, ReportedComment, ReportedFile } from '../model/receipt.ts';
import { withoutCopy } from '../privacy/hide.ts';
import { commentAfter, withCopy } from './life.ts';
import { readSide } from './read-threads.ts';

/**
 * Looks for the comments and files that the tracker reported as stored and that no reading has shown. A missing one is written
 * again: a comment only after a second check, because threads may come from a lagging database and a comment cannot be taken back.
 * Throws `SideError`.
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
  // If a bug's files could not be listed, they stay unknown, and the next cycle asks again.
  const read = await readFilesOf(context, filed);
  store.transaction(() => {
    for (const link of read) for (const file of dueFiles(context, link.id)) loseFile(context, link, file);
  });
}

const dueComments = ({ store, clock, limits }: Context, id: Link['id']): readonly ReportedComment[] =>
  receiptOf(store, id).comments.filter((reported) => dueAt(reported, limits.settleMs) <= clock.now());

const dueFiles = ({ store, clock, limits }: Context, id: Link['id']): readonly ReportedFile[] =>
  receiptOf(store, id).files.filter(({ answeredAt }) => answeredAt + limits.settleMs <= clock.now());

/** A comment that its thread does not show may exist all the same, and be private by now. */
async function lookForComments(context: Context, id: Link['id']): Promise<void> {
  const { store, tracker } = context;
  for (const reported of dueComments(context, id)) {
    const isThere = await tracker.hasComment(reported.id);
    store.transaction(() => {
      if (isThere) seeComments(context, id, new Set([reported.id]));
      else if (reported.looks > 0) loseComment(context, id, reported);
      else saveReceipt(store, withComment(receiptOf(store, id), reported, [{ ...reported, looks: reported.looks + 1 }]));
    });
  }
}

const withComment = (receipt: Receipt, { id }: ReportedComment, by: readonly ReportedComment[]): Receipt => ({
  ...receipt,
  comments: receipt.comments.flatMap((each) => (each.id === id ? by : [each])),
});

/** Restores the comment link from before the write, so that the comment is planned again. */
function loseComment(context: Context, id: Link['id'], reported: ReportedComment): void {
  const { store } = context;
  const link = store.links.byId(id);
  if (link === null) return;
  const commentLinks = store.commentLinks.ofLink(id);
  for (const commentLink of commentLinks) for (const undone of withoutComment(commentLink, reported)) store.commentLinks.save(undone);
  const pointed = reported.tells === 'pointer' ? { ...link.pointed, tracker: false } : link.pointed;
  store.links.save({ ...link, pointed, urgency: 'live' });
  saveReceipt(store, inVain(withComment(receiptOf(store, id), reported, []), reported.key));
  recordLost(context, link, { operation: reported.tells === 'pointer' ? 'point' : 'comment' });
}

function withoutComment(
  commentLink: CommentLink,
  { id, commentLink: of, tells, part, digest, was }: ReportedComment,
): readonly CommentLink[] {
  const { copy } = commentLink;
  // The bridge's own comment, as it was read on the tracker.
  if (commentLink.origin === 'tracker' && commentLink.source === id && commentLink.part === 1)
    return [commentAfter(commentLink, { kind: 'deleted', reason: notKept, isCopyLeft: true, isToReport: false })];
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

function loseFile(context: Context, { id }: Link, reported: ReportedFile): void {
  const { store } = context;
  const [link, attachmentLink] = [store.links.byId(id), store.attachmentLinks.byId(reported.attachmentLink)];
  const receipt = receiptOf(store, id);
  saveReceipt(store, inVain({ ...receipt, files: receipt.files.filter((each) => each.id !== reported.id) }, reported.key));
  if (link === null || attachmentLink?.origin !== 'github' || attachmentLink.copy?.id !== reported.id) return;
  store.attachmentLinks.save(attachmentAfter(attachmentLink, { kind: 'lost' }));
  store.links.save({ ...link, urgency: 'live' });
  recordLost(context, link, { operation: 'file' });
}
