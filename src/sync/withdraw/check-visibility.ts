import type { Context, RouteState } from '../../kernel/context.ts';
import { inTimeOf, isLate, lateFirst, urgently } from '../../kernel/patience.ts';
import { eachSpared, spare, workOn } from '../../kernel/set-aside.ts';
import { forgetUnread, setUnread } from '../../kernel/unread.ts';
import type { AnonymousReader } from '../../model/anonymous-reader.ts';
import type { Attachment, AttachmentLink } from '../../model/attachment.ts';
import type { Bug, Comment } from '../../model/item.ts';
import type { CommentLink, Link } from '../../model/link.ts';
import { hiddenParts } from '../../rules/comments/hide.ts';
import { bugDigest, checksVisibility, fileDigest, isSameBug, publicFieldsOf } from '../../rules/privacy/gate.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { hideFile, resolveAttachment } from '../observe/mentions.ts';
import { withSeenWithdrawal } from './seen-withdrawal.ts';

/**
 * Reads without credentials what is about to be published: bugs, and those of their comments and files that were not
 * checked yet, each in one batch for all links. Content that the anonymous reader cannot see is not public. Throws
 * `SideError`, and then nothing is published in this cycle.
 * @param news links that changed
 * @param links links planned in this cycle: their bugs are always read, because our own account may not learn that a
 *   bug became
 *   private
 */
export async function checkVisibility(given: Context, news: readonly Link[], links: readonly Link[]): Promise<void> {
  const context = urgently(given);
  const { anonymousReader, route, store } = context;
  if (anonymousReader === null || !checksVisibility(route)) return;
  const planned = new Set(links.map(({ id }) => id));
  const due = lateFirst(context, news, ({ id }) => id);
  const asks = eachSpared(context, due, ({ id }) => askOf(context, store.links.byId(id), planned.has(id)));
  if (asks.length === 0) return;
  const asked = asks.map(({ bug }) => bug);
  const bugs = await anonymousReader.bugs(
    asked.map(({ id }) => id),
    youngOf(context, asked),
    inTimeOf(context),
  );
  const seen = await readAnonymously(
    context,
    anonymousReader,
    bugs,
    asks.flatMap((ask) => spare(context, workOn(context, ask.link, 'read'), () => withNewer(context, ask, bugs)) ?? []),
  );
  store.transaction(() => {
    for (const ask of seen.asks)
      if (!isLate(context, ask.link.id))
        spare(context, workOn(context, ask.link, 'read'), () => recordVisibility(context, ask, seen));
  });
}

/**
 * Bugs that were made a moment ago, which a search may not find yet. Taken for hidden, a bug that we have just filed
 * would be withdrawn from its issue. Stamps have whole seconds.
 */
function youngOf({ clock, limits }: Pick<Context, 'clock' | 'limits'>, bugs: readonly Bug[]): ReadonlySet<number> {
  const since = clock.now() - limits.settleMs - 1000;
  return new Set(bugs.filter(({ createdAt }) => createdAt > since).map(({ id }) => id));
}

interface Ask {
  readonly link: Link;
  readonly bug: Bug;
  readonly commentLinks: readonly CommentLink[];
  readonly files: readonly AttachmentLink[];
  /** If the route leaves files alone, a comment that names a file must still not name a private one. */
  readonly isAboutFiles: boolean;
}

interface AnonymousView {
  readonly asks: readonly Ask[];
  readonly bugs: ReadonlyMap<number, Bug | null>;
  readonly comments: ReadonlyMap<number, readonly Comment[]>;
  readonly attachments: ReadonlyMap<number, readonly Attachment[]>;
}

/** The open questions about a link; none if nothing of it is published anyway. */
function askOf({ store }: RouteState, link: Link | null, isPlanned: boolean): readonly Ask[] {
  if (link === null || link.state !== 'live' || link.tracker === null || link.tracker.isPrivate) return [];
  const commentLinks = store.commentLinks.ofLink(link.id).filter(isUnchecked);
  const files = store.attachmentLinks.ofLink(link.id).filter(isUncheckedFile);
  const isKnown = link.visibility?.of === bugDigest(link.tracker);
  // If a bug is not visible, nothing else has to be read.
  if (!isPlanned && isKnown && (link.visibility?.isShown === false || commentLinks.length + files.length === 0))
    return [];
  return [withParts({ link, bug: link.tracker }, commentLinks, files)];
}

const withParts = (of: Pick<Ask, 'link' | 'bug'>, commentLinks: Ask['commentLinks'], files: Ask['files']): Ask => ({
  ...of,
  commentLinks,
  files,
  isAboutFiles: files.length > 0 || commentLinks.some(({ attachment }) => attachment !== null),
});

const isCheckable = ({ origin, part, text, state }: CommentLink): boolean =>
  origin === 'tracker' && part === 1 && text !== null && (state === 'pending' || state === 'mirrored');

const isUnchecked = (commentLink: CommentLink): boolean =>
  isCheckable(commentLink) && commentLink.checkedDigest !== commentLink.digest;

const isCheckableFile = ({ origin, state }: AttachmentLink): boolean => origin === 'tracker' && state !== 'withdrawn';

const isUncheckedFile = (file: AttachmentLink): boolean =>
  isCheckableFile(file) && file.checkedDigest !== fileDigest(file);

/**
 * A newer version of the bug than ours: comments and files that were visible before may have become private with it,
 * and are checked again.
 */
function withNewer({ store }: RouteState, ask: Ask, bugs: AnonymousView['bugs']): Ask {
  const theirs = bugs.get(ask.bug.id);
  if (!theirs || theirs.changedAt <= ask.bug.changedAt) return ask;
  const commentLinks = store.commentLinks.ofLink(ask.link.id).filter(isCheckable);
  return withParts(ask, commentLinks, store.attachmentLinks.ofLink(ask.link.id).filter(isCheckableFile));
}

/**
 * What the tracker failed to show of a bug; null if it answered. Nothing else of the bug is published then: a comment
 * that overtakes another precedes it forever.
 */
function unreadIn(ask: Ask, { bugs, comments, attachments }: AnonymousView): string | null {
  const { id } = ask.bug;
  const theirs = bugs.get(id);
  if (theirs === null) return 'it';
  if (theirs === undefined) return null;
  if (ask.commentLinks.length > 0 && !comments.has(id)) return 'its comments';
  return ask.isAboutFiles && !attachments.has(id) ? 'its files' : null;
}

async function readAnonymously(
  context: Context,
  anonymousReader: AnonymousReader,
  bugs: AnonymousView['bugs'],
  asks: readonly Ask[],
): Promise<AnonymousView> {
  const shown = asks.filter(({ bug }) => bugs.get(bug.id));
  const spoken = shown.filter(({ commentLinks }) => commentLinks.length > 0).map(({ bug }) => bug.id);
  const filed = shown.filter(({ isAboutFiles }) => isAboutFiles);
  return {
    asks,
    bugs,
    comments: spoken.length === 0 ? new Map() : await anonymousReader.comments(spoken, inTimeOf(context)),
    attachments:
      filed.length === 0
        ? new Map()
        : await anonymousReader.attachments(
            filed.map(({ bug }) => bug.id),
            inTimeOf(context),
          ),
  };
}

function recordVisibility(context: Context, ask: Ask, view: AnonymousView): void {
  const { link, bug, commentLinks, files } = ask;
  const { bugs, comments, attachments } = view;
  const { store, clock } = context;
  const theirs = bugs.get(bug.id);
  const unread = unreadIn(ask, view);
  if (unread === null) forgetUnread(context, 'public', bug.id);
  else {
    const why = `asked without an account, the tracker fails on ${unread}`;
    setUnread(context, 'public', bug.id, why, bug.changedAt);
  }
  if (theirs === null) return;
  const check = { at: clock.now(), of: bugDigest(bug) };
  if (theirs === undefined) {
    const hidden: Link = { ...link, visibility: { isShown: false, ...check, details: {}, labels: [] } };
    store.links.save(withSeenWithdrawal(context, null, hidden));
  } else if (isSameBug(bug, theirs))
    store.links.save({ ...link, visibility: { isShown: true, ...check, ...publicFieldsOf(theirs) } });
  // The bug changed since we read it, and what we know may have been hidden meanwhile: the next poll brings the version
  // that is shown.
  else if (theirs.changedAt >= bug.changedAt || link.visibility?.isShown === false)
    store.links.save({
      ...link,
      visibility: { isShown: true, at: check.at, of: bugDigest(theirs), ...publicFieldsOf(theirs) },
    });
  const said = comments.get(bug.id);
  const listed = attachments.get(bug.id);
  if (said !== undefined)
    for (const commentLink of commentLinks.filter(({ attachment }) => attachment === null || listed !== undefined))
      for (const checked of checkedCommentLinks(context, commentLink, said, listed ?? []))
        store.commentLinks.save(checked);
  if (listed === undefined) return;
  for (const file of files) {
    const checked = checkedFile(file, listed);
    if (checked === null) hideFile(context, file);
    else store.attachmentLinks.save(checked);
    if (checked !== null && fileDigest(checked) !== fileDigest(file)) resolveAttachment(context, Number(file.source));
  }
}

/**
 * Drops the results for the comments and files of a bug: they are checked again before any more of them is published.
 */
export function forgetVisibility({ store }: Pick<Context, 'store'>, { id }: Pick<Link, 'id'>): void {
  for (const commentLink of store.commentLinks.ofLink(id))
    if (commentLink.origin === 'tracker' && commentLink.text !== null && commentLink.checkedDigest !== null)
      store.commentLinks.save({ ...commentLink, checkedDigest: null });
  for (const file of store.attachmentLinks.ofLink(id))
    if (file.origin === 'tracker' && file.checkedDigest !== null)
      store.attachmentLinks.save({ ...file, checkedDigest: null });
}

/** The published text is exactly the text that the anonymous reader saw. */
function checkedCommentLinks(
  { store }: RouteState,
  commentLink: CommentLink,
  said: readonly Comment[],
  listed: readonly Attachment[],
): readonly CommentLink[] {
  const theirs = said.find(({ id }) => id === commentLink.source);
  const isFileShown = commentLink.attachment === null || listed.some(({ id }) => id === commentLink.attachment);
  if (theirs === undefined || !isFileShown)
    return hiddenParts(store.commentLinks.ofLink(commentLink.link), commentLink.source, notShown);
  const text = canonicalText(theirs.text);
  const digest = digestOf(text);
  if (commentLink.origin === 'github') return [];
  if (commentLink.state === 'pending') return [{ ...commentLink, text, digest, checkedDigest: digest }];
  return digest === commentLink.digest ? [{ ...commentLink, checkedDigest: digest }] : [];
}

/**
 * What is published of a file is exactly what the anonymous reader saw, too: if somebody renamed it since we read it,
 * its comment need not wait for the next reading, and no other overtakes it. Only a content that was deleted meanwhile
 * is left to that reading. Null if the reader saw no such file.
 */
function checkedFile(file: AttachmentLink, listed: readonly Attachment[]): AttachmentLink | null {
  const theirs = listed.find(({ id }) => String(id) === file.source);
  if (theirs === undefined) return null;
  const { name, summary, type, size, isPatch, isObsolete, flags } = theirs;
  if (file.origin !== 'tracker' || size !== file.size) return file;
  return { ...file, name, summary, type, isPatch, isObsolete, flags, checkedDigest: fileDigest(theirs) };
}

export const notShown = 'a reader without an account cannot see it';
