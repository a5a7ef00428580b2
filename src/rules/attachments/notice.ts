import { headBytesMax, type StoredFile } from '../../model/attachment.ts';
import { byTime, type CommentLink } from '../../model/link.ts';
import type { PublicCommentLink, PublicFile } from '../../model/plan/public.ts';
import type { AttachmentRule } from '../../model/route.ts';
import { undirected, visible, withoutAddresses } from '../../text/canonical.ts';
import { fenced, toMarkdownInline } from '../../text/to-markdown.ts';
import { headingIn } from './linked.ts';
import { sizeInWords } from './path.ts';

/** Types that GitHub shows as pictures. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/**
 * How an issue shows a tracker comment that is about an attachment.
 *
 *   as it is  it is not about an attachment, or the route leaves files alone
 *   shown     the notice replaces the tracker's heading; `text` is the person's words
 *   wait      its file is still to be carried over
 *   never     the file is not public, and neither is its name; or the bridge attached it itself
 */
type AttachmentDisplay =
  | { readonly kind: 'as it is' }
  | { readonly kind: 'shown'; readonly notice: string; readonly text: string; readonly about: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never' };

/**
 * A comment link as it is shown: the bridge's own Markdown precedes its text. `about` is the attachment that the
 * Markdown is about.
 */
export type ShownComment = PublicCommentLink & { readonly notice?: string; readonly about?: number };

/**
 * The comment links that may be shown now. A waiting comment is left out together with those behind it, because a copy
 * that overtakes another precedes it forever; a comment that names a file that is not public is left out alone.
 */
export function shownCommentLinks(
  rule: AttachmentRule | null,
  commentLinks: readonly PublicCommentLink[],
  attachmentLinks: readonly PublicFile[],
): readonly ShownComment[] {
  const parts = commentLinks.map((commentLink) => ({
    commentLink,
    shown: shownWith(rule, commentLink, attachmentLinks),
  }));
  const [waiting] = parts
    .flatMap(({ commentLink, shown }) =>
      commentLink.state === 'pending' && shown.kind === 'wait' ? [commentLink] : [],
    )
    .sort(byTime);
  return parts.flatMap(({ commentLink, shown }) => {
    if (waiting !== undefined && mustWait(commentLink, waiting)) return [];
    if (shown.kind === 'as it is') return [commentLink];
    if (shown.kind === 'shown') return [{ ...commentLink, notice: shown.notice, text: shown.text, about: shown.about }];
    // A comment with a copy still counts; it only has no news.
    return commentLink.state === 'pending' ? [] : [{ ...commentLink, text: null }];
  });
}

/** Only comments that go to GitHub: files of issues do not hold their comments back. */
const mustWait = (commentLink: CommentLink, waiting: CommentLink): boolean =>
  commentLink.origin === 'tracker' && commentLink.state === 'pending' && byTime(waiting, commentLink) <= 0;

export function shownWith(
  rule: AttachmentRule | null,
  commentLink: Pick<CommentLink, 'origin' | 'text'>,
  attachmentLinks: readonly PublicFile[],
): AttachmentDisplay {
  const heading = rule === null || commentLink.origin !== 'tracker' ? null : headingIn(commentLink.text ?? '');
  if (heading === null) return { kind: 'as it is' };
  const id = String(heading.attachment);
  if (attachmentLinks.some((each) => each.origin === 'github' && each.copy?.id === heading.attachment))
    return { kind: 'never' };
  const file = attachmentLinks.find(({ origin, source }) => origin === 'tracker' && source === id);
  // A file that the tracker does not list as public may have been public when the comment was made.
  if (file === undefined || file.state === 'withdrawn') return { kind: 'never' };
  if (file.state === 'pending' && file.reason === null) return { kind: 'wait' };
  const isRoomy = heading.rest.length < 30_000;
  const notice = heading.event === 'created' ? noticeOf(file, isRoomy) : mentionOf(file);
  return { kind: 'shown', notice, text: heading.rest, about: heading.attachment };
}

/** The notice of a new file: name, type and size, and the file itself if it can be displayed and there is room. */
export function noticeOf(file: PublicFile, isRoomy = true): string {
  const summary = file.summary === '' || file.summary === file.name ? '' : `: ${toMarkdownInline(file.summary)}`;
  const line = `Attachment ${file.source}, ${linkTo(file)} (${detailsOf(file)})${summary}`;
  return [line, previewOf(file, isRoomy)].filter((part) => part !== '').join('\n\n');
}

const mentionOf = (file: PublicFile): string => `On attachment ${file.source}, ${linkTo(file)}:`;

/** The name links to the copy, or to the tracker if there is none. */
const linkTo = (file: PublicFile): string =>
  `[${toMarkdownInline(undirected(file.name)).trim() || 'no name'}](<${file.copy?.url ?? file.url}>)`;

function detailsOf(file: PublicFile): string {
  const size = file.size === null ? [] : [sizeInWords(file.size)];
  const obsolete = file.isObsolete ? ['obsolete'] : [];
  const place =
    (file.copy?.url ?? null) === null
      ? [`on the tracker${file.reason === null ? '' : `, ${toMarkdownInline(file.reason)}`}`]
      : [];
  return [
    toMarkdownInline(file.isPatch ? 'patch' : file.type),
    ...size,
    ...obsolete,
    ...file.flags.map(toMarkdownInline),
    ...place,
  ]
    .filter((part) => part.trim() !== '')
    .join(', ');
}

function previewOf({ copy, name, type, isPatch }: PublicFile, isRoomy: boolean): string {
  const url = copy?.url ?? null;
  if (url === null) return '';
  if (pictures.includes(type)) return `![${toMarkdownInline(name)}](<${url}>)`;
  const excerpt = isRoomy && copy !== null && 'excerpt' in copy ? copy.excerpt : null;
  return excerpt === null
    ? ''
    : fenced(visible(excerpt).replace(/\n$/u, '').split('\n'), isPatch ? 'diff' : '').join('\n');
}

/** Whether the description of a bug waits for a file: the issue is not opened before. */
export const isDescriptionWaiting = (
  rule: AttachmentRule,
  commentLinks: readonly PublicCommentLink[],
  attachmentLinks: readonly PublicFile[],
): boolean =>
  commentLinks.some(
    (commentLink) =>
      commentLink.count === 0 &&
      commentLink.state === 'pending' &&
      shownWith(rule, commentLink, attachmentLinks).kind === 'wait',
  );

const linesMax = 60;
const lineLengthMax = 400;

/**
 * The whole text of a short text file, for display in the issue; null for all other files. The declared type is not
 * trusted: bytes that are not valid UTF-8 or contain control characters are not text.
 */
export function excerptOf(
  file: { readonly type: string; readonly isPatch: boolean; readonly size: number | null },
  stored: Pick<StoredFile, 'head'>,
): string | null {
  const mayBeText =
    file.isPatch || /^text\/(?!html|rtf)|^application\/(?:json|xml|x-(?:sh|patch|diff))/u.test(file.type);
  if (!mayBeText || file.size === null || file.size > headBytesMax || file.size !== stored.head.length) return null;
  const text = textOf(stored.head)?.replace(/\r\n?/gu, '\n') ?? null;
  if (text === null || text.trim() === '' || /(?![\t\n\f])\p{Cc}/u.test(text)) return null;
  const lines = text.split('\n');
  if (lines.length > linesMax || lines.some((line) => line.length > lineLengthMax)) return null;
  return withoutAddresses(text);
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
