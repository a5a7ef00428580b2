import type { Context, RouteState } from '../../kernel/context.ts';
import { markDirty } from '../../kernel/dirty.ts';
import { seeFiles } from '../../kernel/outbox.ts';
import { inTimeOf, isLate, lateFirst } from '../../kernel/patience.ts';
import { eachSpared, spare, workOn } from '../../kernel/set-aside.ts';
import { forgetUnread, isLeft, setUnread } from '../../kernel/unread.ts';
import type { AttachmentLink, FilePorts } from '../../model/attachment.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import type { OutboxRow } from '../../model/plan/outbox.ts';
import { type FileReading, readAttachments, readLinkedFiles } from '../../rules/attachments/observe.ts';
import { hiddenParts } from '../../rules/comments/hide.ts';
import { forgetVisibility } from '../withdraw/check-visibility.ts';
import { closeUnreadFiles } from '../withdraw/close-unread.ts';
import { hideOldFiles } from '../withdraw/follow-bugs.ts';
import { resolveAttachment } from './mentions.ts';

/**
 * Reads which files exist on the bugs whose threads were just read, with few requests and without contents; and finds
 * new files in the issues. A bug whose thread needed no reading has no new files either.
 */
export async function readFiles(
  context: Context,
  files: FilePorts,
  links: readonly Link[],
  doubts: readonly OutboxRow[],
): Promise<void> {
  const { store } = context;
  const inDoubt = new Set(doubts.flatMap(({ operation }) => (operation.kind === 'file' ? [operation.link] : [])));
  const ids = new Set([...links.map(({ id }) => id), ...inDoubt]);
  const fresh = [...ids].flatMap((id) => store.links.byId(id) ?? []).filter(({ state }) => state === 'live');
  const unread = eachSpared(context, fresh, (link) =>
    (inDoubt.has(link.id) || isUnread(context, link)) && !isLeft(context, link) ? [link] : [],
  );
  await readFilesOf(context, files, unread);
  store.transaction(() => {
    for (const link of fresh) {
      spare(context, workOn(context, link, 'read'), () => {
        const add = readLinkedFiles(link, store.attachmentLinks.ofLink(link.id), store.commentLinks.ofLink(link.id));
        remember(context, link, { add, save: [] });
      });
    }
  });
}

/**
 * Reads the files of these bugs, with few requests and without contents.
 * @returns the links that were read: the tracker may fail at one of them
 */
export async function readFilesOf(
  context: Context,
  files: FilePorts,
  links: readonly Link[],
): Promise<readonly Link[]> {
  const { store, session, route } = context;
  const due = lateFirst(context, links, ({ id }) => id);
  const bugs = due.flatMap(({ bug }) => (bug === null ? [] : [bug]));
  if (bugs.length === 0) return [];
  const found = await files.attachmentClient.list(bugs, inTimeOf(context));
  store.transaction(() => {
    for (const link of links) {
      if (isLate(context, link.id)) continue;
      const attachments = found.get(link.bug ?? 0);
      if (attachments === undefined) {
        spare(context, workOn(context, link, 'read'), () => forgetVisibility(context, link));
        setUnread(context, 'files', link.bug ?? 0, 'the tracker cannot list its files', link.tracker?.changedAt);
        continue;
      }
      const isRead = spare(context, workOn(context, link, 'read'), () => {
        forgetUnread(context, 'files', link.bug ?? 0);
        const known = store.attachmentLinks.ofLink(link.id);
        remember(context, link, readAttachments(route, link, known, attachments, session.own.tracker));
        hideUnlisted(context, link);
        hideOldFiles(context, link, attachments);
        seeFiles(context, link.id, new Set(attachments.map(({ id }) => id)));
        if (link.threadReadAt !== null) store.attachmentLinks.markRead(link.id, link.threadReadAt);
        readThreadAgain(context, link, known);
        return true;
      });
      if (isRead === null) closeUnreadFiles(context, link, attachments);
    }
  });
  return links.filter(({ bug }) => found.has(bug ?? 0));
}

/**
 * A comment that names a file which the tracker does not list, and which the state does not know: it is not public
 * until the file is listed.
 */
function hideUnlisted({ store }: RouteState, { id }: Link): void {
  const commentLinks = store.commentLinks.ofLink(id);
  const unlisted = commentLinks.filter(
    ({ origin, part, attachment }) =>
      origin === 'tracker' &&
      part === 1 &&
      attachment !== null &&
      store.attachmentLinks.byAttachment(attachment) === null,
  );
  for (const { source } of unlisted)
    for (const commentLink of hiddenParts(commentLinks, source, 'the tracker does not list its file'))
      store.commentLinks.save(commentLink);
}

/** A comment that was hidden with its file comes back with it: the next reading of the thread, as a whole, shows it. */
function readThreadAgain({ store }: RouteState, { id }: Link, known: readonly AttachmentLink[]): void {
  const isShown = ({ origin, state, source }: AttachmentLink): boolean =>
    origin === 'tracker' &&
    state === 'withdrawn' &&
    store.attachmentLinks.byAttachment(Number(source))?.state !== 'withdrawn';
  const shown = new Set(known.filter(isShown).map(({ source }) => source));
  const isBack = ({ state, attachment }: CommentLink): boolean =>
    state === 'withdrawn' && shown.has(String(attachment));
  const link = store.links.byId(id);
  if (link !== null && store.commentLinks.ofLink(id).some(isBack))
    store.links.save({ ...link, threadReadAt: null, urgency: 'live' });
}

function isUnread({ store }: RouteState, { id, bug, tracker, threadReadAt }: Link): boolean {
  if (bug === null || tracker === null || tracker.isPrivate || threadReadAt === null) return false;
  return store.attachmentLinks.readAt(id) !== threadReadAt;
}

function remember(context: RouteState, { id }: Link, { add, save }: FileReading): void {
  for (const attachmentLink of add) context.store.attachmentLinks.add(attachmentLink);
  for (const attachmentLink of save) {
    context.store.attachmentLinks.save(attachmentLink);
    if (attachmentLink.origin === 'tracker') resolveAttachment(context, Number(attachmentLink.source));
  }
  if (add.length + save.length > 0) markDirty(context, id);
}
