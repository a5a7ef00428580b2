import { attachmentAfter } from '../attachments/life.ts';
import type { Context } from '../kernel/context.ts';
import { digestOf } from '../kernel/digest.ts';
import type { Attachment, AttachmentLink } from '../model/attachment.ts';
import type { Bug, Comment } from '../model/item.ts';
import type { CommentLink, Link } from '../model/link.ts';
import type { AnonymousReader } from '../model/replica.ts';
import { canonicalText } from '../text/canonical.ts';
import { checksVisibility } from './gate.ts';
import { hidden } from './hide.ts';
import { bugDigest, fileDigest, isSameBug, vouched } from './visibility.ts';

/**
 * Reads without credentials what is about to be published: bugs, and those of their comments and files that were not proved yet, each in
 * one batch for all links. What the witness is not shown is not public. Throws `SideError`, and then nothing is published in this cycle.
 * @param news  links that changed
 * @param links those that are planned in this cycle: their bugs are asked for whatever was proved before, as our own account may not
 *   hear of it when a bug becomes private
 */
export async function checkVisibility(context: Context, news: readonly Link[], links: readonly Link[]): Promise<void> {
  const { anonymousReader, route, store } = context;
  if (anonymousReader === null || !checksVisibility(route)) return;
  const planned = new Set(links.map(({ id }) => id));
  const asks = news.flatMap(({ id }) => askOf(context, store.links.byId(id), planned.has(id)) ?? []);
  if (asks.length === 0) return;
  const bugs = await anonymousReader.bugs(asks.map(({ bug }) => bug.id));
  const seen = await testimonyOf(
    anonymousReader,
    bugs,
    asks.map((ask) => withNewer(context, ask, bugs)),
  );
  store.transaction(() => {
    for (const ask of seen.asks) hear(context, ask, seen);
  });
}

interface Ask {
  readonly link: Link;
  readonly bug: Bug;
  readonly commentLinks: readonly CommentLink[];
  readonly files: readonly AttachmentLink[];
}

interface Testimony {
  readonly asks: readonly Ask[];
  readonly bugs: ReadonlyMap<number, Bug>;
  readonly comments: ReadonlyMap<number, readonly Comment[]>;
  readonly attachments: ReadonlyMap<number, readonly Attachment[]>;
}

/** What is to be found out about a link; null when nothing is, or nothing of it is published anyway. */
function askOf({ store }: Context, link: Link | null, isPlanned: boolean): Ask | null {
  if (link === null || link.state !== 'live' || link.tracker === null || link.tracker.isPrivate) return null;
  const commentLinks = store.commentLinks.ofLink(link.id).filter(isUnproved);
  const files = store.attachmentLinks.ofLink(link.id).filter(isUnprovedFile);
  const isKnown = link.visibility?.of === bugDigest(link.tracker);
  // Of a bug that is not shown, nothing else has to be asked.
  if (!isPlanned && isKnown && (link.visibility?.isShown === false || commentLinks.length + files.length === 0)) return null;
  return { link, bug: link.tracker, commentLinks, files };
}

const isProvable = ({ origin, part, text, state }: CommentLink): boolean =>
  origin === 'tracker' && part === 1 && text !== null && (state === 'pending' || state === 'mirrored');

const isUnproved = (commentLink: CommentLink): boolean => isProvable(commentLink) && commentLink.checkedDigest !== commentLink.digest;

const isProvableFile = ({ origin, state }: AttachmentLink): boolean => origin === 'tracker' && state !== 'withdrawn';

const isUnprovedFile = (file: AttachmentLink): boolean => isProvableFile(file) && file.checkedDigest !== fileDigest(file);

/**
 * A version of the bug that we have not read yet: what was proved of its comments and files before may have become private with it, and is
 * asked for once more.
 */
function withNewer({ store }: Context, ask: Ask, bugs: Testimony['bugs']): Ask {
  const theirs = bugs.get(ask.bug.id);
  if (theirs === undefined || theirs.changedAt <= ask.bug.changedAt) return ask;
  const commentLinks = store.commentLinks.ofLink(ask.link.id).filter(isProvable);
  return { ...ask, commentLinks, files: store.attachmentLinks.ofLink(ask.link.id).filter(isProvableFile) };
}

async function testimonyOf(anonymousReader: AnonymousReader, bugs: Testimony['bugs'], asks: readonly Ask[]): Promise<Testimony> {
  const shown = asks.filter(({ bug }) => bugs.has(bug.id));
  const spoken = shown.filter(({ commentLinks }) => commentLinks.length > 0).map(({ bug }) => bug.id);
  // Where the route leaves files alone, the comments that name one still must not name a private one.
  const filed = shown.filter(({ commentLinks, files }) => files.length > 0 || commentLinks.some(({ attachment }) => attachment !== null));
  return {
    asks,
    bugs,
    comments: spoken.length === 0 ? new Map() : await anonymousReader.comments(spoken),
    attachments: filed.length === 0 ? new Map() : await anonymousReader.attachments(filed.map(({ bug }) => bug.id)),
  };
}

function hear(context: Context, { link, bug, commentLinks, files }: Ask, { bugs, comments, attachments }: Testimony): void {
  const { store, clock } = context;
  const theirs = bugs.get(bug.id);
  const visibilityChecked = { at: clock.now(), of: bugDigest(bug) };
  if (theirs === undefined) store.links.save({ ...link, visibility: { isShown: false, ...visibilityChecked, details: {}, labels: [] } });
  // Another version than ours was read a moment before or after it changed: the next poll brings it.
  else if (isSameBug(bug, theirs)) store.links.save({ ...link, visibility: { isShown: true, ...visibilityChecked, ...vouched(theirs) } });
  else if (link.visibility?.isShown === false) store.links.save({ ...link, visibility: null });
  const said = comments.get(bug.id);
  const listed = attachments.get(bug.id);
  if (said !== undefined)
    for (const commentLink of commentLinks.flatMap((each) => heardCommentLink(context, each, said, listed ?? [])))
      store.commentLinks.save(commentLink);
  if (listed !== undefined) for (const file of files) store.attachmentLinks.save(heardFile(file, listed));
}

/** Forgets what was found out about the comments and files of a bug: they are asked for again before any more of them is published. */
export function forgetVisibility({ store }: Pick<Context, 'store'>, { id }: Pick<Link, 'id'>): void {
  for (const commentLink of store.commentLinks.ofLink(id))
    if (commentLink.origin === 'tracker' && commentLink.text !== null && commentLink.checkedDigest !== null)
      store.commentLinks.save({ ...commentLink, checkedDigest: null });
  for (const file of store.attachmentLinks.ofLink(id))
    if (file.origin === 'tracker' && file.checkedDigest !== null) store.attachmentLinks.save({ ...file, checkedDigest: null });
}

/** What is published is what the witness read, to the letter. */
function heardCommentLink(
  { store }: Context,
  commentLink: CommentLink,
  said: readonly Comment[],
  listed: readonly Attachment[],
): readonly CommentLink[] {
  const theirs = said.find(({ id }) => id === commentLink.source);
  const isFileShown = commentLink.attachment === null || listed.some(({ id }) => id === commentLink.attachment);
  if (theirs === undefined || !isFileShown) return hidden(store.commentLinks.ofLink(commentLink.link), commentLink.source, notShown);
  const text = canonicalText(theirs.text);
  const digest = digestOf(text);
  if (commentLink.origin === 'github') return [];
  if (commentLink.state === 'pending') return [{ ...commentLink, text, digest, checkedDigest: digest }];
  return digest === commentLink.digest ? [{ ...commentLink, checkedDigest: digest }] : [];
}

function heardFile(file: AttachmentLink, listed: readonly Attachment[]): AttachmentLink {
  const theirs = listed.find(({ id }) => String(id) === file.source);
  if (theirs === undefined) return attachmentAfter(file, { kind: 'hidden' });
  const digest = fileDigest(theirs);
  return file.origin === 'tracker' && digest === fileDigest(file) ? { ...file, checkedDigest: digest } : file;
}

export const notShown = 'a reader without an account is not shown it';
