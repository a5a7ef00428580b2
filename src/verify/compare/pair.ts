import { bodyId } from '../../model/link.ts';
import type { Difference, Findings, LeftOut } from '../../model/reports/verification.ts';
import { parseTrackerMarker } from '../../text/marker.ts';
import { compareCarried } from './carried.ts';
import { compareCopies } from './copies.ts';
import { joinedFindings, noFindings } from './difference.ts';
import { compareFields } from './fields.ts';
import { compareFiles } from './files.ts';
import { isSamePage } from './links.ts';
import type { Pair } from './seen-pair.ts';
import type { SeenText } from './seen-text.ts';
import { compareTable } from './table.ts';
import { partingOf } from './words.ts';

/**
 * Compares everything of a bug and its issue except the contents of files. It compares what readers see, and does not
 * know how it was written: decision 017 explains which code is shared with the writers, and why.
 */
export function comparePair(pair: Pair): Findings {
  if (pair.bug.isPrivate) return compareHidden(`bug ${pair.bug.id}`, 'is private on the tracker', pair.texts);
  return joinedFindings([
    compareFields(pair),
    comparePointers(pair),
    compareCopies(pair),
    compareCarried(pair),
    compareStrays(pair),
    compareTable(pair),
    compareFiles(pair),
  ]);
}

/** An issue whose bug is not public: it shows nothing of the bug. */
export function compareHidden(about: string, why: string, texts: readonly SeenText[]): Findings {
  const copies = texts.filter(({ head }) => head !== null);
  const differences = copies.map(({ head, gist }): Difference => {
    const github = gist.text === null ? (head?.place ?? null) : partingOf(gist.text, '')[0];
    return {
      aspect: 'private',
      about,
      words: `${why}, and ${head?.place ?? 'its text'} is on GitHub`,
      tracker: null,
      github,
    };
  });
  const leftOut: readonly LeftOut[] = differences.length === 0 ? [{ about, why: `it ${why}` }] : [];
  return { ...noFindings, differences, leftOut };
}

/** GitHub comments that look like copies and have no source, or are a second copy. */
function compareStrays(pair: Pair): Findings {
  const known = new Set(
    pair.commentLinks.flatMap(({ origin, copy }) => (origin === 'tracker' && copy !== null ? [copy] : [])),
  );
  const strays = pair.texts.filter(
    ({ id, head, marker }) => id !== bodyId && (head !== null || marker !== null) && !known.has(id),
  );
  return {
    differences: strays.flatMap((text) => strayOf(pair, text)),
    leftOut: [],
    compared: { fields: 0, texts: 0, files: 0, references: 0 },
  };
}

function strayOf({ bug, commentLinks, texts, thread }: Pair, text: SeenText): readonly Difference[] {
  const about = `comment ${text.id} on GitHub`;
  const github = text.gist.text === null ? (text.head?.place ?? null) : partingOf(text.gist.text, '')[0];
  const { marker } = text;
  if (marker === null) return [];
  const source = thread.find(({ id }) => id === marker.comment);
  if (marker.bug === bug.id && source?.isPrivate === true) {
    return [
      { aspect: 'private', about, words: 'shows a comment that is private on the tracker', tracker: null, github },
    ];
  }
  const twin = commentLinks.find(
    ({ origin, source: id, copy }) =>
      origin === 'tracker' && id === marker.comment && texts.some((each) => each.id === copy),
  );
  if (marker.bug === bug.id && twin !== undefined) {
    return [
      {
        aspect: 'double',
        about,
        words: 'is a second copy of the same comment',
        tracker: `comment id ${twin.source}`,
        github,
      },
    ];
  }
  if (marker.bug === bug.id && source !== undefined && marker.part !== undefined) return [];
  return [{ aspect: 'marker', about, words: 'is not a copy of any comment of this bug', tracker: null, github }];
}

/** Each end names the other: the bug its issue in see_also or a comment, the issue its bug in the marker. */
function comparePointers({ route, bug, issue, thread, texts }: Pair): Findings {
  const differences: Difference[] = [];
  const isNamed =
    bug.seeAlso.some((url) => isSamePage(url, issue.url)) ||
    thread.some(({ text }) => isSamePage(parseTrackerMarker(text)?.url.replace(/#.*/u, '') ?? '', issue.url));
  if (!isNamed && route.direction !== 'to-github' && route.pointer === 'now') {
    const tracker = bug.seeAlso.join(', ') || 'nothing in see_also';
    differences.push({ aspect: 'pointer', about: 'bug', words: 'does not name its issue', tracker, github: issue.url });
  }
  const [body] = texts;
  const leftOut: LeftOut[] = [];
  if (body !== undefined && body.head === null && route.direction !== 'to-tracker') {
    if (body.isFull && body.marker === null)
      leftOut.push({ about: 'issue', why: 'its text is full, and has no room for the line that names its bug' });
    else differences.push(...footerOf(body, bug.id, bug.url));
  }
  return { differences, leftOut, compared: { fields: 2, texts: 0, files: 0, references: 0 } };
}

/** The line under the body of a person's issue, which names its bug. An issue without room for it has none. */
function footerOf({ marker, footer }: SeenText, bug: number, url: string): readonly Difference[] {
  const named = marker === null ? null : `bug ${marker.bug}`;
  if (marker === null || marker.bug !== bug) {
    const words = marker === null ? 'does not name its bug' : 'has the marker of another bug';
    return [
      { aspect: marker === null ? 'pointer' : 'marker', about: 'issue', words, tracker: `bug ${bug}`, github: named },
    ];
  }
  if (footer === null || (isSamePage(footer.url, url) && footer.text === `bug ${bug}`)) return [];
  const github = `${footer.text} (${footer.url})`;
  return [
    { aspect: 'reference', about: 'issue', words: 'does not link to its bug', tracker: `bug ${bug} (${url})`, github },
  ];
}
