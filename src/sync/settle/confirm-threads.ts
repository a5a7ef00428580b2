/** Whether the tracker kept what it reported as stored. */

import { sinceBefore } from '../../kernel/backoff.ts';
import type { Context, RouteState } from '../../kernel/context.ts';
import { dueAt, duePulls, receiptOf, saveReceipt, seeComments } from '../../kernel/outbox.ts';
import { isLate } from '../../kernel/patience.ts';
import { spare, spareAsync, spareOf, workOn } from '../../kernel/set-aside.ts';
import { isUnread } from '../../kernel/unread.ts';
import type { Link } from '../../model/link.ts';
import { isBy } from '../../model/people.ts';
import type { ReportedComment, ReportedFile } from '../../model/receipt.ts';
import type { CommentAt } from '../../model/replica.ts';
import { patienceMs } from '../../rules/limits/backoff.ts';
import { readFilesOf } from '../observe/read-files.ts';
import { lookAtBug, readSide } from '../observe/read-threads.ts';
import { confirmPulls } from './confirm-pulls.ts';
import { isSame, loseComment, loseFile, withComment } from './lose.ts';

/**
 * Looks for the comments, files and changed attachments that the tracker reported as stored and that no reading has
 * shown. What is missing is written again: a comment only after a second check, because threads may come from a lagging
 * database and a comment cannot be taken back. Throws `SideError`.
 */
export async function confirmThreads(context: Context): Promise<void> {
  const { store, route } = context;
  const open = store.receipts.ofRoute(route.name).flatMap(({ link: id }) => {
    const link = store.links.byId(id);
    return link?.state === 'live' && link.bug !== null ? [{ id, bug: link.bug, link }] : [];
  });
  const asks = open.flatMap(({ id, bug }) =>
    dueComments(context, id).map(({ at }) => ({ ref: bug, sinceAt: sinceBefore(at) })),
  );
  await readSide(context, 'tracker', asks);
  for (const { id, bug, link } of open)
    if (!isUnread(context, { bug }) && !isLate(context, id))
      await spareAsync(context, workOn(context, link, 'read'), () => lookForComments(context, id));
  const changed = open.filter(({ id }) => duePulls(context, id).length > 0);
  if (changed.length > 0) await confirmPulls(context, changed);
  if (context.files === null) return forgetFiles(context);
  const filed = open.flatMap(({ id }) => (dueFiles(context, id).length > 0 ? (store.links.byId(id) ?? []) : []));
  // If a bug's files could not be listed, they stay unknown, and the next cycle asks again.
  const read = context.files === null ? [] : await readFilesOf(context, context.files, filed);
  for (const link of read)
    spare(context, workOn(context, link, 'read'), () => {
      for (const file of dueFiles(context, link.id)) loseFile(context, link, file);
    });
}

/** A route that no longer takes files looks for none. */
function forgetFiles(context: Context): void {
  const { store, route } = context;
  for (const receipt of store.receipts.ofRoute(route.name))
    if (receipt.files.length > 0)
      spareOf(context, receipt.link, 'read', () => saveReceipt(store, { ...receipt, files: [] }));
}

const dueComments = ({ store, clock, limits }: RouteState, id: Link['id']): readonly ReportedComment[] =>
  receiptOf(store, id).comments.filter((reported) => dueAt(reported, limits.settleMs) <= clock.now());

const dueFiles = ({ store, clock, limits }: RouteState, id: Link['id']): readonly ReportedFile[] =>
  receiptOf(store, id).files.filter(({ answeredAt }) => answeredAt + limits.settleMs <= clock.now());

/**
 * A comment that its thread does not show may exist all the same, and be private by now. As long as the tracker does
 * not say, it is asked again in the next cycle; after hours its first answer is believed. If the bug was hidden
 * meanwhile, its link is frozen, and the question waits.
 */
async function lookForComments(context: Context, id: Link['id']): Promise<void> {
  const { store, clock } = context;
  for (const reported of dueComments(context, id)) {
    const link = store.links.byId(id);
    if (link?.state !== 'live') return;
    const found = await lookFor(context, link, reported);
    const isUnknown = found.kind === 'unknown';
    if (isUnknown && clock.now() < reported.answeredAt + patienceMs) continue;
    store.transaction(() => {
      if (isUnknown || isOurs(context, link, found)) seeComments(context, id, (each) => isSame(each, reported));
      else if (reported.looks > 0) loseComment(context, id, reported);
      else
        saveReceipt(store, withComment(receiptOf(store, id), reported, [{ ...reported, looks: reported.looks + 1 }]));
    });
  }
}

/**
 * What went with a change of the bug has no id to ask for. If it is lost, so is the change, and the bug is known as the
 * tracker answered it: it is read again before anything is planned. Unless the tracker shows it then, its link is
 * frozen, or it was deleted.
 */
async function lookFor(
  context: Context,
  { id, bug }: Link,
  { id: comment, looks }: ReportedComment,
): Promise<CommentAt> {
  if (comment !== null) return context.tracker.commentAt(comment);
  const isAnswered = bug === null || looks === 0 || (await lookAtBug(context, bug));
  return { kind: isAnswered && context.store.links.byId(id)?.state === 'live' ? 'missing' : 'unknown' };
}

/** Another comment may have got the id of one that was lost. */
function isOurs({ session: { own } }: RouteState, { bug }: Link, found: CommentAt): boolean {
  if (found.kind !== 'there') return found.kind === 'private';
  return found.bug === bug && (own.tracker === null || isBy(found, own.tracker));
}
