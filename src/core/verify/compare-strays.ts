import { bodyId } from '../../model/link.ts';
import { parseTrackerMarker } from '../marker.ts';
import { isSamePage } from './compare-links.ts';
import type { Difference, Findings } from './difference.ts';
import type { Pair } from './pair.ts';
import type { SeenText } from './seen-text.ts';
import { partingOf } from './words.ts';

/** Comments on GitHub that look like copies and are the copy of nothing, or the second copy of something. */
export function compareStrays(pair: Pair): Findings {
  const known = new Set(pair.entries.flatMap(({ origin, copy }) => (origin === 'tracker' && copy !== null ? [copy] : [])));
  const strays = pair.texts.filter(({ id, head, marker }) => id !== bodyId && (head !== null || marker !== null) && !known.has(id));
  return {
    differences: strays.flatMap((text) => strayOf(pair, text)),
    leftOut: [],
    compared: { fields: 0, texts: 0, files: 0, references: 0 },
  };
}

function strayOf({ bug, entries, texts, thread }: Pair, text: SeenText): readonly Difference[] {
  const about = `comment ${text.id} on GitHub`;
  const github = text.gist.text === null ? (text.head?.place ?? null) : partingOf(text.gist.text, '')[0];
  const { marker } = text;
  if (marker === null) return [];
  const source = thread.find(({ id }) => id === marker.comment);
  if (marker.bug === bug.id && source?.isPrivate === true) {
    return [{ aspect: 'private', about, words: 'shows a comment that is private on the tracker', tracker: null, github }];
  }
  const twin = entries.find(
    ({ origin, source: id, copy }) => origin === 'tracker' && id === marker.comment && texts.some((each) => each.id === copy),
  );
  if (marker.bug === bug.id && twin !== undefined) {
    return [{ aspect: 'double', about, words: 'is a second copy of the same comment', tracker: `comment id ${twin.source}`, github }];
  }
  if (marker.bug === bug.id && source !== undefined && marker.part !== undefined) return [];
  return [{ aspect: 'marker', about, words: 'is a copy of no comment of this bug', tracker: null, github }];
}

/** Each end names the other: the bug its issue in see_also or a comment, the issue its bug in the marker. */
export function comparePointers({ route, bug, issue, thread, texts }: Pair): Findings {
  const differences: Difference[] = [];
  const isNamed =
    bug.seeAlso.some((url) => isSamePage(url, issue.url)) ||
    thread.some(({ text }) => isSamePage(parseTrackerMarker(text)?.url.replace(/#.*$/u, '') ?? '', issue.url));
  if (!isNamed && route.direction !== 'to-github') {
    const tracker = bug.seeAlso.join(', ') || 'nothing in see_also';
    differences.push({ aspect: 'pointer', about: 'bug', words: 'does not name its issue', tracker, github: issue.url });
  }
  const [body] = texts;
  if (body !== undefined && body.head === null && route.direction !== 'to-tracker') differences.push(...footerOf(body, bug.id, bug.url));
  return { differences, leftOut: [], compared: { fields: 2, texts: 0, files: 0, references: 0 } };
}

/** The issue of a person names its bug in a line under its body. One that has no room for it does not. */
function footerOf({ marker, footer }: SeenText, bug: number, url: string): readonly Difference[] {
  const named = marker === null ? null : `bug ${marker.bug}`;
  if (marker === null || marker.bug !== bug) {
    const words = marker === null ? 'does not name its bug' : 'has the marker of another bug';
    return [{ aspect: marker === null ? 'pointer' : 'marker', about: 'issue', words, tracker: `bug ${bug}`, github: named }];
  }
  if (footer === null || (isSamePage(footer.url, url) && footer.text === `bug ${bug}`)) return [];
  const github = `${footer.text} (${footer.url})`;
  return [{ aspect: 'reference', about: 'issue', words: 'links to something else than its bug', tracker: `bug ${bug} (${url})`, github }];
}
