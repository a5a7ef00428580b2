import type { Attachment } from '../../model/attachment.ts';
import { isBy } from '../../model/people.ts';
import type { Difference, Findings, LeftOut } from '../../model/reports/verification.ts';
import { headingIn, tagIn } from '../../rules/attachments/linked.ts';
import { joinedFindings, sinceLook } from './difference.ts';
import { isCopyOf, isSamePage } from './links.ts';
import type { KnownFile, Pair } from './seen-pair.ts';
import { type Notice, saysNothing } from './seen-text.ts';
import { squashed } from './words.ts';

/** The size and digest of a file's content; or why they are unknown, in words. */
export type Weighed =
  | { readonly kind: 'there'; readonly sha256: string; readonly size: number }
  | { readonly kind: 'not there'; readonly why: string };

/** A file as both sides have it. */
export interface SeenFiles {
  readonly file: KnownFile;
  readonly tracker: Weighed;
  readonly github: Weighed;
}

const fileFindings = (differences: readonly Difference[], leftOut: readonly LeftOut[] = [], files = 1): Findings => ({
  differences,
  leftOut,
  compared: { fields: 0, texts: 0, files, references: 0 },
});

/** The comparison of files without their contents: each public file has its copy, and no other file has one. */
export function compareFiles(pair: Pair): Findings {
  const { attachments } = pair;
  if (attachments === null) return fileFindings([], [], 0);
  const open = attachments.filter((each) => !each.isPrivate && !isCopy(pair, each));
  return joinedFindings([
    ...open.map((attachment) => compareAttachment(pair, attachment)),
    ...pair.files.filter(({ origin }) => origin === 'github').map((file) => compareLinked(pair, file)),
  ]);
}

const isCopy = ({ own }: Pair, { summary, author }: Attachment): boolean =>
  tagIn(summary) !== null && (own.tracker === null || isBy(author, own.tracker));

function compareAttachment(pair: Pair, attachment: Attachment): Findings {
  const about = `attachment ${attachment.id}`;
  const file = pair.files.find(({ origin, source }) => origin === 'tracker' && source === String(attachment.id));
  const notices = compareNotice(pair, attachment);
  if (file?.state === 'mirrored') return fileFindings(notices, [], 0);
  if (file?.state === 'linked') {
    const why = `it stays on the tracker${file.reason === null ? '' : `: ${file.reason}`}`;
    return fileFindings(notices, [{ about, why }], 0);
  }
  if (pair.route.direction === 'to-tracker')
    return fileFindings([], [{ about, why: 'the route goes to the tracker only' }], 0);
  const tracker = `${attachment.name}, ${attachment.size ?? 0} bytes`;
  const why = sinceLook(attachment.createdAt > pair.lookedAt.tracker) + (file?.reason ? ` (${file.reason})` : '');
  return fileFindings([
    ...notices,
    { aspect: 'file', about, words: `is missing on GitHub${why}`, tracker, github: null },
  ]);
}

/**
 * The copy of the comment that came with a file names it, and its link leads to the copy of the file, or to the
 * tracker.
 */
function compareNotice(pair: Pair, attachment: Attachment): readonly Difference[] {
  const about = `attachment ${attachment.id}`;
  const comment = pair.thread.find(({ text }) => {
    const heading = headingIn(text);
    return heading?.event === 'created' && heading.attachment === attachment.id;
  });
  const commentLink = pair.commentLinks.find(
    ({ origin, source, part }) => origin === 'tracker' && source === comment?.id && part === 1,
  );
  const text = pair.texts.find((each) => each.id === commentLink?.copy && !saysNothing(each));
  if (text === undefined) return [];
  const { notice } = text;
  if (notice === null || notice.attachment !== attachment.id) {
    const github = notice === null ? null : `attachment ${notice.attachment}`;
    return [
      { aspect: 'file', about, words: 'is not named by its comment on GitHub', tracker: attachment.name, github },
    ];
  }
  const wrong = wrongLinks(notice, attachment);
  return wrong.map((url) => ({
    aspect: 'reference',
    about,
    words: 'has a link that leads elsewhere',
    tracker: attachment.url,
    github: url,
  }));
}

function wrongLinks({ links, pictures, text }: Notice, { id, url: page, name }: Attachment): readonly string[] {
  const isRight = (url: string) => isSamePage(url, page) || isCopyOf(id, url);
  const urls = [...links.slice(0, 1).map(({ url }) => url), ...pictures];
  const isNamed = squashed(text).includes(squashed(name));
  return [...urls.filter((url) => !isRight(url)), ...(isNamed ? [] : [`a notice that does not say ${name}`])];
}

/** A file from the issue, and its copy among the attachments of the bug. */
function compareLinked({ attachments, route }: Pair, { source, name, state, reason, copy }: KnownFile): Findings {
  const about = `the file ${name === '' ? source : name} in the issue`;
  if (state === 'mirrored') {
    const present = attachments?.find(({ id }) => id === copy);
    if (present !== undefined) return fileFindings([], [], 0);
    return fileFindings([{ aspect: 'file', about, words: 'is missing on the tracker', tracker: null, github: name }]);
  }
  if (route.direction === 'to-github') return fileFindings([], [{ about, why: 'the route goes to GitHub only' }], 0);
  if (state === 'pending')
    return fileFindings([{ aspect: 'file', about, words: 'is missing on the tracker', tracker: null, github: name }]);
  return fileFindings([], [{ about, why: `it stays on GitHub${reason === null ? '' : `: ${reason}`}` }], 0);
}

/** The contents of a file and its copy, by size and SHA-256. */
export function compareContents({ file, tracker, github }: SeenFiles): Findings {
  const about =
    file.origin === 'tracker'
      ? `attachment ${file.source}`
      : `the file ${file.name === '' ? file.source : file.name} in the issue`;
  if (file.state === 'withdrawn') {
    if (github.kind === 'not there') return fileFindings([], [], 0);
    const words = 'is not public on the tracker, and its copy is still on GitHub';
    return fileFindings([{ aspect: 'private', about, words, tracker: null, github: file.path }]);
  }
  const [here, there] = [inWords(tracker), inWords(github)];
  if (tracker.kind === 'not there' && github.kind === 'there' && file.origin === 'tracker') {
    const words = 'is not public on the tracker, and its copy is on GitHub';
    return fileFindings([{ aspect: 'private', about, words, tracker: here, github: file.path }]);
  }
  if (tracker.kind === 'not there' || github.kind === 'not there') {
    const words = tracker.kind === 'not there' ? 'cannot be read on the tracker' : 'is missing on GitHub';
    return fileFindings([{ aspect: 'file', about, words, tracker: here, github: there }]);
  }
  if (tracker.sha256 === github.sha256) return fileFindings([]);
  const [source, copy] = file.origin === 'tracker' ? [tracker, github] : [github, tracker];
  const words =
    copy.size < source.size
      ? 'is cut off in its copy'
      : copy.size > source.size
        ? 'is longer in its copy'
        : 'has different content in its copy';
  return fileFindings([{ aspect: 'file', about, words, tracker: here, github: there }]);
}

const inWords = (weighed: Weighed): string =>
  weighed.kind === 'there' ? `${weighed.size} bytes, SHA-256 ${weighed.sha256}` : weighed.why;
