/** What a reading says about a comment that is known already, as a source or as a copy. */

import type { Comment } from '../../model/item.ts';
import type { CommentLink, TrackerCommentLink } from '../../model/link.ts';
import { canonicalText } from '../../text/canonical.ts';
import { carries } from '../../text/kept-markdown.ts';
import { isWordless, noText } from '../../text/to-tracker.ts';
import { headingIn } from '../attachments/linked.ts';
import { isShort } from './changed-words.ts';
import { commentAfter, withCopy } from './life.ts';
import { minimizeReasonOf } from './minimizing.ts';
import { lacksParts } from './parts.ts';
import type { Reading } from './verdict.ts';
import { digestOfComment, isLater, versionOf } from './version.ts';

/** The comment links that change because a known source says something else. */
export function sourceAfter(reading: Reading, known: CommentLink, comment: Comment): readonly CommentLink[] {
  if (known.origin === 'tracker')
    return renumbered(known, comment, (counted) => sourceOnTracker(reading, counted, comment));
  const digest = digestOfComment(comment);
  if (digest !== known.digest)
    return [
      {
        ...sourceOnGithub(known, canonicalText(comment.text), digest),
        author: comment.author,
        ...versionOf(comment),
      },
    ];
  // Of what was rebuilt from its copy, author and time are those of the copy.
  const facts = known.createdAt === comment.createdAt ? {} : { author: comment.author, createdAt: comment.createdAt };
  // Edited, and then edited back: the versions between the two are outdated as well.
  const version = isLater(known, comment) ? versionOf(comment) : {};
  return Object.keys({ ...facts, ...version }).length === 0 ? [] : [{ ...known, ...facts, ...version }];
}

/** The comment links that change because people edited a known copy. */
export function copyAfter(reading: Reading, known: CommentLink, comment: Comment): readonly CommentLink[] {
  return known.origin === 'tracker' ? copyOnGithub(reading, known, comment) : renumbered(known, comment, () => []);
}

/** A comment that became visible late comes before others of its time, whose numbers then increase by one. */
function renumbered<Known extends CommentLink>(
  known: Known,
  { count }: Comment,
  after: (counted: Known) => readonly CommentLink[],
): readonly CommentLink[] {
  if (known.part > 1 || count === null || count === known.count) return after(known);
  const counted = { ...known, count };
  const changed = after(counted);
  return changed.length > 0 ? changed : [counted];
}

/** The tags of a comment may change although its text stays. */
function sourceOnTracker({ rows }: Reading, known: TrackerCommentLink, comment: Comment): readonly CommentLink[] {
  const minimize = comment.tags === undefined ? known.minimize : minimizeReasonOf(comment.tags);
  const tagged = { ...known, minimize };
  const edited = editedOnTracker(tagged, comment, rows.storedParts(known.origin, known.source));
  if (edited !== null) return [edited];
  return minimize === known.minimize ? [] : [tagged];
}

/**
 * Few trackers can edit comments; if one was edited, or the copy became stale for another reason, the text is needed
 * again. Null if nothing changed.
 */
function editedOnTracker(
  before: TrackerCommentLink,
  comment: Comment,
  parts: readonly CommentLink[],
): CommentLink | null {
  const [text, digest] = [canonicalText(comment.text), digestOfComment(comment)];
  const known = withStyleOf(before, comment);
  const isOther = digest !== known.digest || known.isMarkdown !== before.isMarkdown;
  if (known.state === 'pending') return isOther || known.text === null ? { ...known, text, digest } : null;
  if (known.state === 'withdrawn') return commentAfter(withFactsOf(known, comment), { kind: 'shown', text, digest });
  if (known.state !== 'mirrored') return null;
  // The database was lost, and rebuilt from the copy: the copy's text is taken for the source's.
  if (known.digest === '') return { ...withFactsOf(known, comment), text, digest, mirrored: digest, isStale: true };
  if (isOther) return { ...known, text, digest, isStale: true };
  return known.text === null && (known.isStale || lacksParts(known, parts)) ? { ...known, text } : null;
}

/** Each comment says whether its text is Markdown, or the tracker does for all of them, and may change that. */
function withStyleOf(
  { isMarkdown: _before, ...commentLink }: TrackerCommentLink,
  { isMarkdown }: Comment,
): TrackerCommentLink {
  return isMarkdown ? { ...commentLink, isMarkdown } : commentLink;
}

/**
 * A comment link that was rebuilt from its copy, after a lost database, lacks the author, the address, and the file
 * that its text names.
 */
const withFactsOf = (known: TrackerCommentLink, { author, url, createdAt, text }: Comment): TrackerCommentLink => ({
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
function copyOnGithub({ route, rows, inDoubt }: Reading, known: CommentLink, comment: Comment): readonly CommentLink[] {
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
  const first = rows.storedParts(known.origin, known.source).find(({ part }) => part === 1) ?? known;
  return first.id === known.id ? [{ ...seen, isStale: true }] : [seen, { ...first, isStale: true }];
}

/** An empty comment has no copy until people add text to it. */
function sourceOnGithub(known: CommentLink, text: string, digest: string): CommentLink {
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
