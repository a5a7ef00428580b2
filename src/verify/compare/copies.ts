import type { Comment } from '../../model/item.ts';
import { bodyId } from '../../model/link.ts';
import { isBy } from '../../model/people.ts';
import type { Aspect, Difference, Findings } from '../../model/reports/verification.ts';
import { headingIn, pullBelowHeading, tagIn } from '../../rules/attachments/linked.ts';
import { minimizeReasonOf } from '../../rules/comments/minimizing.ts';
import { parseTrackerMarker } from '../../text/marker.ts';
import { joinedFindings, sinceLook, textFindings } from './difference.ts';
import { compareHead } from './head.ts';
import { compareLinks } from './links.ts';
import { readMarkdown, type SeenLink, textOf } from './read-markdown.ts';
import { commentLinksOf, commentName, type KnownComment, type Pair } from './seen-pair.ts';
import { type SeenText, saysNothing } from './seen-text.ts';
import { compareOrder, hiddenOriginals } from './thread.ts';
import { type Gist, gistOf, partingOf, unbroken } from './words.ts';

/** Tracker comments, including the description, and their copies on GitHub. */
export function compareCopies(pair: Pair): Findings {
  return joinedFindings([
    ...pair.thread.map((comment) => compareCopy(pair, comment)),
    hiddenOriginals(pair),
    compareOrder(pair),
  ]);
}

const aspectOf = ({ count }: Comment): Aspect => (count === 0 ? 'description' : 'comment');

function compareCopy(pair: Pair, comment: Comment): Findings {
  const { route, texts, lookedAt } = pair;
  const about = commentName(comment);
  const [commentLink, ...parts] = commentLinksOf(pair, comment);
  const first =
    commentLink === undefined ? undefined : texts.find((text) => text.id === commentLink.copy && !saysNothing(text));
  const further = parts.flatMap((each) => texts.find(({ id }) => id === each.copy) ?? []);
  const deleted = parts.find(({ state }) => state === 'gone');
  if (comment.isPrivate) {
    const present = first ?? further[0];
    if (present === undefined) return textFindings([], [{ about, why: 'it is private' }], 0);
    const github = present.gist.text === null ? 'its copy' : partingOf(present.gist.text, '')[0];
    return textFindings([
      {
        aspect: 'private',
        about,
        words: 'is private on the tracker, and its copy is on GitHub',
        tracker: null,
        github,
      },
    ]);
  }
  if (isOwn(pair, comment)) return textFindings([], [], 0);
  if (first !== undefined && deleted !== undefined)
    return textFindings([], [{ about, why: deleted.reason ?? 'a part of it was given up' }], 0);
  if (commentLink !== undefined && first !== undefined)
    return compareTexts(pair, comment, commentLink, [first, ...further]);
  const why =
    whyLeftOut(pair, comment) ?? (commentLink?.state === 'gone' ? (commentLink.reason ?? 'it was given up') : null);
  if (why !== null) return textFindings([], [{ about, why }], 0);
  if (route.direction === 'to-tracker')
    return textFindings([], [{ about, why: 'the route goes to the tracker only' }], 0);
  const words = `is missing on GitHub${sinceLook(comment.createdAt > lookedAt.tracker)}`;
  return textFindings([
    { aspect: aspectOf(comment), about, words, tracker: partingOf(comment.text, '')[0], github: null },
  ]);
}

/** A comment by the bridge itself, or by the tracker about it. */
export function isOwn({ own, link }: Pair, comment: Comment): boolean {
  const mayBe =
    own.tracker === null || isBy(comment.author, own.tracker) || (comment.count === 0 && link.origin === 'github');
  const { text } = comment;
  return (
    mayBe &&
    (parseTrackerMarker(text) !== null ||
      pullBelowHeading(text) !== null ||
      tagIn(headingIn(text)?.summary ?? '') !== null)
  );
}

/** Comments without text of their own, or with content that is not public. */
function whyLeftOut({ attachments }: Pair, { text, count }: Comment): string | null {
  const heading = headingIn(text);
  if (
    attachments !== null &&
    heading !== null &&
    !attachments.some(({ id, isPrivate }) => id === heading.attachment && !isPrivate)
  ) {
    return 'it names a file that is not public';
  }
  if (count === 0) return null;
  if (text.trim() === '') return 'it has no text';
  return duplicateNote.test(text.trim()) && text.replace(duplicateNote, '').trim() === ''
    ? 'the tracker wrote it'
    : null;
}

const duplicateNote =
  /\*\*\* (This bug has been marked as a duplicate of bug \d+|Bug \d+ has been marked as a duplicate of this bug)\.? \*\*\*\s*$/u;

function compareTexts(pair: Pair, comment: Comment, commentLink: KnownComment, copies: readonly SeenText[]): Findings {
  const { bug, places } = pair;
  const about = commentName(comment);
  const [first] = copies;
  if (first === undefined) return textFindings([]);
  const marks = copies.flatMap((copy, index) => markerOf(pair, comment, commentLink, copy, index));
  const heads = copies.flatMap((copy) => compareHead(pair, comment, copy));
  const shown = copies
    .flatMap(({ addresses }) => addresses)
    .map((address): Difference => {
      return { aspect: 'private', about, words: 'shows an e-mail address on GitHub', tracker: null, github: address };
    });
  const minimizings = minimizingsOf(pair, comment, copies);
  const links = copies.map((copy) => compareLinks(about, bug.id, copy.links.filter(isOfBridge(comment)), places));
  const differences = [
    ...marks,
    ...heads,
    ...shown,
    ...wordsOf(pair, comment, copies),
    ...[minimizings, ...links].flatMap((each) => each.differences),
  ];
  return textFindings(
    differences,
    [minimizings, ...links].flatMap((each) => each.leftOut),
    1,
    links.reduce((sum, { compared }) => sum + compared, 0),
  );
}

/** A copy is minimized if its original is tagged so. What people on GitHub did to it by hand is left alone. */
function minimizingsOf(
  { commentLinks }: Pair,
  comment: Comment,
  copies: readonly SeenText[],
): Pick<Findings, 'differences' | 'leftOut'> {
  const about = commentName(comment);
  const wanted = comment.tags === undefined ? undefined : minimizeReasonOf(comment.tags);
  const wrong = copies.filter(
    ({ id, minimize }) => id !== bodyId && wanted !== undefined && minimize !== undefined && minimize !== wanted,
  );
  const isByHand = ({ id }: SeenText) =>
    commentLinks.some(
      ({ origin, copy, copyMinimized }) => origin === 'tracker' && copy === id && copyMinimized === wanted,
    );
  const [tracker, words] = [
    `tagged ${comment.tags?.join(', ') || 'with nothing'}`,
    'is not minimized as its original is tagged',
  ];
  return {
    differences: wrong
      .filter((copy) => !isByHand(copy))
      .map(({ minimize = null }) => ({ aspect: 'minimize', about, words, tracker, github: minimize })),
    leftOut: wrong
      .filter(isByHand)
      .map(() => ({ about, why: 'people on GitHub minimized it, or showed it again, by hand' })),
  };
}

/** In plain text all links are the bridge's; Markdown also contains its author's, and pictures shown as links. */
function isOfBridge({ text, isMarkdown }: Comment): (link: SeenLink) => boolean {
  if (!isMarkdown) return () => true;
  const { blocks } = readMarkdown(text, true);
  const written = blocks.flatMap(({ links }) => links);
  const urls = new Set([...written.map(({ url }) => url), ...blocks.flatMap(({ pictures }) => pictures)]);
  return ({ text: words, url }) =>
    !urls.has(url.replace(/^https:\/\/redirect\.github\.com(?=\/)/u, 'https://github.com')) &&
    !written.some((link) => unbroken(link.text) === unbroken(words));
}

/** The marker names the copied bug and comment; it identifies the copy if the database is lost. */
function markerOf(
  { bug }: Pair,
  comment: Comment,
  { copy: id }: KnownComment,
  { marker, id: textId }: SeenText,
  index: number,
): readonly Difference[] {
  const about = commentName(comment);
  const isBody = id === bodyId && index === 0 && textId === bodyId;
  const wanted = isBody ? null : comment.id;
  const tracker = `bug ${bug.id}${wanted === null ? '' : `, comment id ${wanted}`}`;
  if (marker === null) return [{ aspect: 'marker', about, words: 'has no marker on GitHub', tracker, github: null }];
  if (marker.bug === bug.id && marker.comment === wanted && (marker.part?.index ?? index + 1) === index + 1) return [];
  const github = `bug ${marker.bug}${marker.comment === null ? '' : `, comment id ${marker.comment}`}${marker.part ? `, part ${marker.part.index}` : ''}`;
  return [{ aspect: 'marker', about, words: 'has the marker of a different item on GitHub', tracker, github }];
}

function wordsOf(pair: Pair, comment: Comment, copies: readonly SeenText[]): readonly Difference[] {
  const about = commentName(comment);
  const [first] = copies;
  const [parts, there] = [first?.marker?.part?.count ?? 1, copies.length];
  if (there < parts) {
    return [
      {
        aspect: aspectOf(comment),
        about,
        words: `lacks a part on GitHub: ${there} of ${parts} are there`,
        tracker: null,
        github: null,
      },
    ];
  }
  const { text, hasHeading } = said(comment);
  const source = gistOf(text, true);
  const begun = hasHeading && first?.notice ? first.withoutNotice : [first?.gist ?? source];
  const gists =
    there > 1 ? begun.map((gist) => joinedGist([gist, ...copies.slice(1).map((copy) => copy.gist)])) : begun;
  if (gists.some(({ digest }) => digest === source.digest)) return [];
  const kept = gists.flatMap(({ text: shown }) => (shown === null ? [] : [shown]))[0] ?? null;
  const [tracker, github] =
    kept === null ? [partingOf(text, '')[0], null] : partingOf(comparable(text), comparable(kept));
  const words =
    pair.bug.id > 0 && hasHeading && first?.notice === null
      ? 'does not show its file on GitHub'
      : 'reads differently on GitHub';
  return [{ aspect: aspectOf(comment), about, words, tracker, github }];
}

/** The person's words, without the words that the tracker puts before a comment about a file. */
function said({ text, isMarkdown }: Comment): { readonly text: string; readonly hasHeading: boolean } {
  const plain = text.replace(duplicateNote, '\n\n$1.');
  const heading = headingIn(plain);
  const words = heading === null ? plain : heading.rest;
  return { text: isMarkdown ? textOf(readMarkdown(words, true).blocks) : words, hasHeading: heading !== null };
}

const joinedGist = (parts: readonly Gist[]): Gist => gistOf(parts.map(({ text }) => text ?? '').join('\n'), true);

/** For showing where two texts diverge: without ignored differences. */
const comparable = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[>\s]+/u, ''))
    .filter((line) => !/^(?:`{3,}|~{3,})[\w+#.-]*$/u.test(line))
    .join('\n');
