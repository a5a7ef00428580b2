import type { Side } from '../model/ids.ts';
import { keptMarkdown } from './kept-markdown.ts';
import { isOnePart, type Line, linesOf, onlyPart, partMax, partsOf } from './parts/cut.ts';
import { fencesOfLines, fencesOfMarkdown } from './parts/fences.ts';
import { lengthOn, piecesOf, type Room } from './parts/room.ts';
import { isSilent } from './parts/silence.ts';
import {
  type IssueReferences,
  noIssues,
  type References,
  type SeveralReferences,
  withoutTargets,
} from './references.ts';
import { markdownSource, withItsMarkup } from './safe-markdown.ts';
import { toMarkdowns } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * Texts for the other side, in as many parts as needed. The parts are written one by one, perhaps days apart, so their
 * borders depend on the text alone, and not on the targets that are known by then.
 */

/**
 * A tracker's text for GitHub. People's words are cut before they are written: finished Markdown is cut only between
 * lines, and only if each part is then as silent as the whole.
 */
export function markdownParts(text: string, references: References, isMarkdown = false): readonly string[] {
  const several = [withoutTargets(references), references] as const;
  const said = isMarkdown ? markdownSource(text) : text;
  return (isMarkdown ? partsWithMarkup(said, several) : null) ?? partsOfWords(said, several);
}

function partsOfWords(text: string, several: SeveralReferences): readonly string[] {
  const [whole = '', linkedWhole = ''] = toMarkdowns(text, several);
  if (isOnePart(whole, 'github')) return [onlyPart(whole, linkedWhole).linked];
  const [plain = '', linked = ''] = toMarkdowns(text, several, roomOn('github'));
  const open = fencesOfLines(plain.split('\n'));
  return partsOf(linesOf(plain, linked, open), 'github').map((part) => part.linked);
}

const roomOn = (on: Side): Room => ({ max: partMax, lengthOf: (line) => lengthOn(on, line) });

/** Null if the text cannot keep its markup. */
function partsWithMarkup(said: string, several: SeveralReferences): readonly string[] | null {
  const [plain, linked = ''] = withItsMarkup(said, several) ?? [];
  if (plain === undefined) return null;
  if (isOnePart(plain, 'github')) return [onlyPart(plain, linked).linked];
  if (plain.split('\n').some((line) => lengthOn('github', line) > partMax)) return null;
  const parts = partsOf(linesOf(plain, linked, fencesOfMarkdown(plain)), 'github');
  return parts.every((part) => isSilent(part.plain, several[0])) ? parts.map((part) => part.linked) : null;
}

/** A text of GitHub for the tracker, where nothing that a cut reveals does any harm. */
export function trackerParts(markdown: string, issues: IssueReferences, isMarkdown = false): readonly string[] {
  const written = isMarkdown ? keptMarkdown : toTrackerText;
  const plain = written(markdown);
  // Parsing Markdown is slow, and most texts contain no references.
  const isUnlinked = issues === noIssues || !/#\d|\/issues\/\d/u.test(markdown);
  const linked = isUnlinked ? plain : written(markdown, issues);
  if (isOnePart(plain, 'tracker')) return [onlyPart(plain, linked).linked];
  const open = isMarkdown ? fencesOfMarkdown(plain) : fencesOfLines(plain.split('\n'));
  return partsOf(withoutLongLines(linesOf(plain, linked, open)), 'tracker').map((part) => part.linked);
}

/** The rest of a line that is too long keeps its place in a quotation; its pieces have no links. */
function withoutLongLines(lines: readonly Line[]): readonly Line[] {
  return lines.flatMap((line, index) => {
    const place = /^(?:> ?){0,100}/u.exec(line.plain)?.[0] ?? '';
    const pieces = piecesOf(line.plain, roomOn('tracker'), undefined, place);
    if (pieces.length === 1) return [line];
    const before = lines[index - 1]?.open ?? null;
    return pieces.map((piece, at) => ({
      plain: piece,
      linked: piece,
      open: at === pieces.length - 1 ? line.open : before,
    }));
  });
}
