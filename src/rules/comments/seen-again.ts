/**
 * What a reading says about a comment that is known already, and about the body of an issue; and which parts of a long
 * text are there.
 */

import type { Side } from '../../model/ids.ts';
import type { Comment, Issue, MinimizeReason } from '../../model/item.ts';
import {
  bodyId,
  type CommentCopy,
  type CommentLink,
  type NewCommentLink,
  type TrackerCommentLink,
} from '../../model/link.ts';
import { isLogin } from '../../model/people.ts';
import type { CommentOperation } from '../../model/plan/operation.ts';
import type { Route } from '../../model/route.ts';
import { canonicalText, digestOf } from '../../text/canonical.ts';
import { carries } from '../../text/kept-markdown.ts';
import { isWordless, noText } from '../../text/to-tracker.ts';
import { headingIn } from '../attachments/linked.ts';
import { githubLagMs } from '../limits/backoff.ts';
import { hasPointerUnder, saysNothing, saysWhoFiled } from '../privacy/neutral.ts';
import { isShort } from './changed-words.ts';
import { commentAfter, withCopy } from './life.ts';

/** What else is known of the link. */
interface Known {
  readonly commentLinks: readonly CommentLink[];
  /** Digests of texts that were sent for copies, and got no answer. */
  readonly inDoubt: readonly string[];
}

/** The news in a known comment: an edit of the source, or an edit of the copy by people. */
export function seenAgain(
  route: Route,
  known: CommentLink,
  side: Side,
  comment: Comment,
  others: Known,
): readonly CommentLink[] {
  const [text, digest] = [canonicalText(comment.text), digestOfComment(comment)];
  if (side === 'tracker' && known.part === 1 && comment.count !== null && comment.count !== known.count)
    return renumbered(route, known, comment, others);
  if (known.origin === 'github') {
    if (side === 'github' && digest !== known.digest)
      return [{ ...withWords(known, text, digest), author: comment.author, ...versionOf(comment) }];
    return side === 'github' && isLater(known, comment) ? [{ ...known, ...versionOf(comment) }] : [];
  }
  if (side === 'github') return copySeen(route, known, comment, others);
  const seen = sourceSeen(known, comment, others.commentLinks);
  const minimize = comment.tags === undefined ? known.minimize : minimizeReasonOf(comment.tags);
  const [now = known] = seen;
  return minimize === known.minimize || now.origin === 'github' ? seen : [{ ...now, minimize }];
}

/** The stamp of a version on GitHub. On trackers, a comment has only that of its creation. */
export const versionOf = ({ side, changedAt }: Comment): Pick<CommentLink, 'changedAt'> =>
  side === 'github' ? { changedAt } : {};

/** Edited, and then edited back: what comes between is outdated, too. */
const isLater = ({ changedAt }: CommentLink, comment: Comment): boolean =>
  changedAt !== undefined && comment.changedAt > changedAt;

/**
 * Whether a replica of GitHub shows a version of a comment from before the one that was seen last; taken for an edit,
 * the old text would be reported, and then the new one once more. If a version stays older, an administrator has reset
 * it, and it counts.
 */
export const isOutdated = ({ changedAt = 0 }: CommentLink, comment: Comment, readAt: number): boolean =>
  comment.side === 'github' && comment.changedAt < changedAt && readAt < changedAt + githubLagMs;

/** A comment that became visible late comes before others of its time, whose numbers then increase by one. */
function renumbered(route: Route, known: CommentLink, comment: Comment, others: Known): readonly CommentLink[] {
  const counted = { ...known, count: comment.count };
  const [seen = counted] = seenAgain(route, counted, 'tracker', comment, others);
  return [seen];
}

/**
 * Few trackers can edit comments; if one was edited, or the copy became stale for another reason, the text is needed
 * again.
 */
function sourceSeen(
  before: TrackerCommentLink,
  comment: Comment,
  commentLinks: readonly CommentLink[],
): readonly CommentLink[] {
  const [text, digest] = [canonicalText(comment.text), digestOfComment(comment)];
  const known = inStyleOf(before, comment);
  const isOther = digest !== known.digest || known.isMarkdown !== before.isMarkdown;
  if (known.state === 'pending') return isOther ? [{ ...known, text, digest }] : [];
  if (known.state === 'withdrawn') return [commentAfter(named(known, comment), { kind: 'shown', text, digest })];
  if (known.state !== 'mirrored') return [];
  // The database was lost, and rebuilt from the copy: the copy's text is taken for the source's.
  if (known.digest === '') return [{ ...named(known, comment), text, digest, mirrored: digest, isStale: true }];
  if (isOther) return [{ ...known, text, digest, isStale: true }];
  return known.text === null && (known.isStale || lacksParts(known, commentLinks)) ? [{ ...known, text }] : [];
}

/** Each comment says whether its text is Markdown, or the tracker does for all of them, and may change that. */
function inStyleOf(
  { isMarkdown: _before, ...commentLink }: TrackerCommentLink,
  { isMarkdown }: Comment,
): TrackerCommentLink {
  return isMarkdown ? { ...commentLink, isMarkdown } : commentLink;
}

/**
 * A comment link that was rebuilt from its copy, after a lost database, lacks the author, the address, and the file
 * that its text names.
 */
const named = (known: TrackerCommentLink, { author, url, createdAt, text }: Comment): TrackerCommentLink => ({
  ...known,
  author,
  url,
  createdAt,
  attachment: headingIn(text)?.attachment ?? null,
});

/**
 * `wrote` also covers a text whose answer was lost. A mark is stored with the first part of a text. What people wrote
 * is kept with its version, so that an earlier one does not look as if they had taken it back.
 */
function copySeen(
  route: Route,
  known: CommentLink,
  comment: Comment,
  { commentLinks, inDoubt }: Known,
): readonly CommentLink[] {
  const { copy, state, wrote, changedAt = 0 } = known;
  const digest = digestOfComment(comment);
  if (copy === null || copy.digest === null || state !== 'mirrored') return [];
  const isLate = digest !== copy.digest && digest !== wrote && inDoubt.includes(digest);
  const isOurs = digest === copy.digest || digest === wrote || isLate;
  if (isOurs && !isLate && !copy.isEdited) return digest === copy.digest ? [] : [withCopy(known, { digest })];
  if (!isOurs && copy.isEdited) return comment.changedAt > changedAt ? [{ ...known, ...versionOf(comment) }] : [];
  const seen = isOurs
    ? { ...withCopy(known, { digest, isEdited: false }), ...(isLate ? { wrote: digest } : {}) }
    : { ...withCopy(known, { isEdited: true }), ...versionOf(comment) };
  if (!isOurs && route.copies === 'leave') return [seen];
  const first =
    commentLinks.find(({ part, origin, source }) => part === 1 && origin === known.origin && source === known.source) ??
    known;
  return first.id === known.id ? [{ ...seen, isStale: true }] : [seen, { ...first, isStale: true }];
}

/** An empty comment has no copy until people add text to it. */
function withWords(known: CommentLink, text: string, digest: string): CommentLink {
  if (known.state === 'skipped' && known.reason === noText)
    return isWordless(text) ? { ...known, digest } : commentAfter(known, { kind: 'worded', text, digest });
  // The text is kept: a copy of the former text may be on its way, and then the deletion of the text must be reported.
  if (known.state === 'pending' && isWordless(text)) return commentAfter(known, { kind: 'emptied', text, digest });
  return withText(known, text, digest);
}

/**
 * A comment link whose source now shows this text. If it was rebuilt from its copy, only the copy's text is known: if
 * this text would be rendered the same, it was not edited.
 */
export function withText(commentLink: CommentLink, text: string, digest: string): CommentLink {
  if (commentLink.text !== null) return { ...commentLink, digest, text, before: beforeOf(commentLink, digest) };
  const isCarried =
    commentLink.mirrored === digest || (commentLink.before !== null && carries(commentLink.before, text));
  return { ...commentLink, digest, text, before: null, mirrored: isCarried ? digest : commentLink.mirrored };
}

/** The mirrored text is kept until its edit has been reported, if the report will show the changes. */
function beforeOf(commentLink: CommentLink, digest: string): string | null {
  if (commentLink.state !== 'mirrored' || digest === commentLink.mirrored) return null;
  if (commentLink.digest !== commentLink.mirrored) return commentLink.before;
  return commentLink.text !== null && isShort(commentLink.text) ? commentLink.text : null;
}

export const digestOfComment = (comment: Comment): string => digestOf(canonicalText(comment.text));

/** An issue's body as it was read, without the lines that the bridge added below it. */
export interface SeenBody {
  readonly text: string;
  readonly digest: string;
  readonly parts: number;
}

/**
 * The description that a body with our marker is the copy of, paired with it; null if there is none yet. A body without
 * any text of the description is ours, and is rewritten once the text may be shown; a body with the text of a hidden
 * description must be withdrawn.
 */
export function pairedBody(
  commentLinks: readonly CommentLink[],
  { text, digest, parts }: SeenBody,
): CommentLink | null {
  const ofBug = commentLinks.filter(({ origin, count, part }) => origin === 'tracker' && count === 0 && part === 1);
  const description = ofBug.find(({ state }) => state === 'pending');
  const wrote = saysNothing(text) ? digest : null;
  const copy: CommentCopy = { id: bodyId, digest, isEdited: false, minimize: null };
  const pair = (commentLink: CommentLink): CommentLink =>
    commentAfter(commentLink, { kind: 'copied', copy, parts, wrote, mirrored: commentLink.digest, isStale: true });
  if (description !== undefined) return pair(description);
  const hidden = ofBug.find(({ state, copy }) => state === 'withdrawn' && copy === null);
  return hidden === undefined || wrote !== null ? null : pair(hidden);
}

/**
 * A body that we emptied, if the answer to our request was lost: it is no edit by people. Null if that does not apply,
 * or is known.
 */
export function emptied(commentLink: CommentLink, text: string, digest: string): CommentLink | null {
  const { state, copy, wrote } = commentLink;
  if (state !== 'mirrored' || copy?.digest === digest || wrote === digest || !saysNothing(text)) return null;
  return { ...withCopy(commentLink, { digest, isEdited: false }), wrote: digest, isStale: true };
}

/**
 * Whether people wrote a body with our marker, judged by the issue alone, as after a lost database. All signs must
 * agree: another user opened the issue, it does not begin like our copies, and our line is below it, as it is below
 * texts that are not ours. In doubt it counts as a copy, so that nothing of the tracker stays: if our account is
 * unknown, or if people use it too.
 */
export function isPeoplesBody({ author, body }: Issue, own: string | null): boolean {
  return own !== null && !isLogin(author.login, own) && !saysWhoFiled(body) && hasPointerUnder(body);
}

/**
 * Tags that trackers use to collapse comments; the first three do so by a tracker's default settings. Ordered by
 * weight.
 */
const reasons: readonly (readonly [tag: string, minimize: MinimizeReason])[] = [
  ['spam', 'spam'],
  ['off-topic', 'off-topic'],
  ['obsolete', 'outdated'],
  ['outdated', 'outdated'],
  ['offtopic', 'off-topic'],
  ['abuse', 'abuse'],
  ['abusive', 'abuse'],
  ['duplicate', 'duplicate'],
  ['resolved', 'resolved'],
];

/** The minimize reason for the tags of a comment. Trackers preserve the case of tags but ignore it. */
export function minimizeReasonOf(tags: readonly string[]): MinimizeReason | null {
  const lower = new Set(tags.map((tag) => tag.toLowerCase()));
  return reasons.find(([tag]) => lower.has(tag))?.[1] ?? null;
}

/** Whether some parts of a long text have not been written yet. A deleted part counts as written. */
export function lacksParts(commentLink: CommentLink, commentLinks: readonly CommentLink[]): boolean {
  return (
    commentLink.part === 1 &&
    commentLink.parts > 1 &&
    commentLink.state === 'mirrored' &&
    partsThere(commentLink, commentLinks).size < commentLink.parts - 1
  );
}

/** The numbers of the written parts beyond the first, for the text that the other side last received. */
export function partsThere(
  { origin, source, mirrored }: CommentLink,
  commentLinks: readonly CommentLink[],
): ReadonlySet<number> {
  // A part that was erased when the text became shorter is `skipped`.
  const own = commentLinks.filter(
    (each) => each.part > 1 && each.state !== 'skipped' && each.origin === origin && each.source === source,
  );
  return new Set(own.filter(({ digest }) => origin === 'tracker' || digest === mirrored).map(({ part }) => part));
}

/** Whether the part that an operation is to write has its copy. */
export function isPartThere(
  { part, digest }: CommentOperation,
  commentLink: CommentLink,
  commentLinks: readonly CommentLink[],
): boolean {
  return partsThere({ ...commentLink, mirrored: digest }, commentLinks).has(part);
}

/** Parts follow the first one; if it was given up, or replaced by a later text, they are no longer wanted. */
export function isPartWanted(
  operation: CommentOperation,
  commentLink: CommentLink,
  commentLinks: readonly CommentLink[],
): boolean {
  if (
    commentLink.state !== 'mirrored' ||
    (commentLink.origin === 'github' && commentLink.mirrored !== operation.digest)
  )
    return false;
  return !isPartThere(operation, commentLink, commentLinks);
}

export const copyIn = (comment: Comment): CommentCopy => ({
  id: comment.id,
  digest: digestOfComment(comment),
  isEdited: false,
  minimize: null,
});

export const isSamePart = (one: NewCommentLink, other: NewCommentLink): boolean =>
  one.part === other.part &&
  one.origin === other.origin &&
  one.source === other.source &&
  (one.origin === 'tracker' || one.digest === other.digest);

/**
 * A part that the tracker had lost, and that was written again; the process may have died before it heard so. On
 * GitHub, an older state may have erased it: whether it is still wanted is asked anew.
 */
export function foundAgain(
  lost: CommentLink,
  { mirrored, parts }: NewCommentLink,
  comment: Comment,
  commentLinks: readonly CommentLink[],
): readonly CommentLink[] {
  const found = commentAfter(lost, { kind: 'copied', copy: copyIn(comment), mirrored, parts, isStale: false });
  const first =
    comment.side === 'github' ? commentLinks.find((each) => each.part === 1 && isOfSame(each, lost)) : undefined;
  return first === undefined ? [found] : [found, { ...first, isStale: true }];
}

const isOfSame = (one: CommentLink, other: CommentLink): boolean =>
  one.origin === other.origin && one.source === other.source;
