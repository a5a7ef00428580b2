import { digestOf } from '../kernel/digest.ts';
import type { Side } from '../model/ids.ts';
import type { Comment } from '../model/item.ts';
import type { CommentLink, TrackerCommentLink } from '../model/link.ts';
import type { Route } from '../model/route.ts';
import { canonicalText } from '../text/canonical.ts';
import { carries } from '../text/kept-markdown.ts';
import { isWordless, noText } from '../text/to-tracker.ts';
import { isShort } from './compose.ts';
import { commentAfter, withCopy } from './life.ts';
import { minimizeReasonOf } from './minimize.ts';
import { lacksParts } from './parts.ts';

/** What a comment that is known tells of its comment link: an edit of the source, or somebody's edit of the copy. */
export function seenAgain(
  route: Route,
  known: CommentLink,
  side: Side,
  comment: Comment,
  commentLinks: readonly CommentLink[],
): readonly CommentLink[] {
  const [text, digest] = [canonicalText(comment.text), digestOfComment(comment)];
  if (side === 'tracker' && known.part === 1 && comment.count !== null && comment.count !== known.count)
    return renumbered(route, known, comment, commentLinks);
  if (known.origin === 'github') {
    return side === 'github' && digest !== known.digest ? [{ ...withWords(known, text, digest), author: comment.author }] : [];
  }
  if (side === 'github') return copySeen(route, known, digest, commentLinks);
  const seen = sourceSeen(known, comment, commentLinks);
  const minimize = comment.tags === undefined ? known.minimize : minimizeReasonOf(comment.tags);
  const [now = known] = seen;
  return minimize === known.minimize || now.origin === 'github' ? seen : [{ ...now, minimize }];
}

/** A comment that became visible late stands before others of its time, which then count one more. */
function renumbered(route: Route, known: CommentLink, comment: Comment, commentLinks: readonly CommentLink[]): readonly CommentLink[] {
  const counted = { ...known, count: comment.count };
  const [seen = counted] = seenAgain(route, counted, 'tracker', comment, commentLinks);
  return [seen];
}

/** Few trackers can edit comments; where it is done, or something else makes the copy stale, the text is needed again. */
function sourceSeen(before: TrackerCommentLink, comment: Comment, commentLinks: readonly CommentLink[]): readonly CommentLink[] {
  const [text, digest] = [canonicalText(comment.text), digestOfComment(comment)];
  const known = inStyleOf(before, comment);
  const isOther = digest !== known.digest || known.isMarkdown !== before.isMarkdown;
  if (known.state === 'pending') return isOther ? [{ ...known, text, digest }] : [];
  if (known.state === 'withdrawn') return [commentAfter(named(known, comment), { kind: 'shown', text, digest })];
  if (known.state !== 'mirrored') return [];
  // The database was lost, and rebuilt from the copy: what that carries is taken for what stands here.
  if (known.digest === '') return [{ ...named(known, comment), text, digest, mirrored: digest, isStale: true }];
  if (isOther) return [{ ...known, text, digest, isStale: true }];
  return known.text === null && (known.isStale || lacksParts(known, commentLinks)) ? [{ ...known, text }] : [];
}

/** Whether words are Markdown is said of each comment, or of a whole tracker, where it may change for all of them. */
function inStyleOf({ isMarkdown: _before, ...commentLink }: TrackerCommentLink, { isMarkdown }: Comment): TrackerCommentLink {
  return isMarkdown ? { ...commentLink, isMarkdown } : commentLink;
}

/** One that was rebuilt from its copy, after a lost database, does not know who wrote it, and where. */
const named = (known: CommentLink, { author, url, createdAt }: Comment): CommentLink => ({ ...known, author, url, createdAt });

/** `wrote` is also what a lost answer may have carried. A mark stands with the first part of a text. */
function copySeen(route: Route, known: CommentLink, digest: string, commentLinks: readonly CommentLink[]): readonly CommentLink[] {
  const { copy, state, wrote } = known;
  if (copy === null || copy.digest === null || state !== 'mirrored') return [];
  const isOurs = digest === copy.digest || digest === wrote;
  if (isOurs && !copy.isEdited) return digest === copy.digest ? [] : [withCopy(known, { digest })];
  if (!isOurs && copy.isEdited) return [];
  const seen = withCopy(known, isOurs ? { digest, isEdited: false } : { isEdited: true });
  if (!isOurs && route.copies === 'leave') return [seen];
  const first = commentLinks.find(({ part, origin, source }) => part === 1 && origin === known.origin && source === known.source) ?? known;
  return first.id === known.id ? [{ ...seen, isStale: true }] : [seen, { ...first, isStale: true }];
}

/** A comment that shows nothing has no copy until somebody writes something into it. */
function withWords(known: CommentLink, text: string, digest: string): CommentLink {
  if (known.state === 'skipped' && known.reason === noText)
    return isWordless(text) ? { ...known, digest } : commentAfter(known, { kind: 'worded', text, digest });
  // The text stays: a copy of what stood there before may be on its way, and then it has to be told that this is gone.
  if (known.state === 'pending' && isWordless(text)) return commentAfter(known, { kind: 'emptied', text, digest });
  return withText(known, text, digest);
}

/**
 * A comment link whose source shows this text now. One that was rebuilt from its copy knows only what the copy says: where that is what would
 * be written of this text, nothing was edited.
 */
export function withText(commentLink: CommentLink, text: string, digest: string): CommentLink {
  if (commentLink.text !== null) return { ...commentLink, digest, text, before: beforeOf(commentLink, digest) };
  const isCarried = commentLink.mirrored === digest || (commentLink.before !== null && carries(commentLink.before, text));
  return { ...commentLink, digest, text, before: null, mirrored: isCarried ? digest : commentLink.mirrored };
}

/** The text that was mirrored is kept until its edit has been reported, if that is going to show what changed. */
function beforeOf(commentLink: CommentLink, digest: string): string | null {
  if (commentLink.state !== 'mirrored' || digest === commentLink.mirrored) return null;
  if (commentLink.digest !== commentLink.mirrored) return commentLink.before;
  return commentLink.text !== null && isShort(commentLink.text) ? commentLink.text : null;
}

export const digestOfComment = (comment: Comment): string => digestOf(canonicalText(comment.text));
