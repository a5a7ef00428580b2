import type { Side } from '../model/ids.ts';
import { escapeLineStart } from './escape.ts';
import { keptMarkdown } from './kept-markdown.ts';
import { type IssueReferences, noIssues, type References, withoutTargets } from './references.ts';
import { safeMarkdowns } from './safe-markdown.ts';
import { toMarkdown } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/** What one comment or body may hold, in characters: 65,535 on the tracker, 65,536 on GitHub. The rest is left for our own lines. */
const textMax = 60_000;

/** Room for closing and reopening a fence. */
const fenceRoom = 500;

/** How far before the end of a part a better place to cut it is looked for. */
const searched = 4_000;

/**
 * A text as the parts that fit into one comment each, one after the other; all of it is in them. Cut between paragraphs where that is
 * near, else between lines, and within a line only where that alone is too long: then between words, and never within a character, an
 * escape or an entity. A fenced block that is cut is closed, and opened again in the next part.
 * @param on the side that the parts are for
 */
export const split = (text: string, on: Side): readonly string[] => splitWithLinks(text, text, on);

/**
 * The same for a text whose words are linked by now, cut where the text without links would be: what is known of their targets changes, and
 * parts that were written earlier must still be the same. Lines for whose links there is no room stay without, and so does one that
 * alone is too long.
 * @param linked the text with links, line by line
 */
function splitWithLinks(text: string, linked: string, on: Side): readonly string[] {
  if (lengthOn(on, text) <= textMax) return [fitting(twinLines(text, linked, textMax, on)).join('\n')];
  const room = textMax - fenceRoom;
  const parts: string[] = [];
  let open: Fence | null = null;
  let rest = twinLines(text, linked, room, on);
  while (rest.length > 0) {
    const lines = rest.map(({ plain }) => plain);
    const end = endOfPart(lines, room, on, open);
    const after = fenceAfter(lines.slice(0, end), open);
    const own = fitting(rest.slice(0, end));
    parts.push(trimmed([...(open === null ? [] : [open.line]), ...own, ...(after === null ? [] : [after.end])]).join('\n'));
    open = after;
    rest = rest.slice(end);
  }
  return parts.filter((part) => part !== '');
}

interface TwinLine {
  readonly plain: string;
  readonly linked: string;
}

/** Lines of which none is too long without its links. */
function twinLines(text: string, linkedText: string, room: number, on: Side): readonly TwinLine[] {
  const [plain, linked] = [text.split('\n'), linkedText.split('\n')];
  return plain.flatMap((line, index) => {
    const pieces = linesWithin([line], room, on);
    if (pieces.length > 1 || plain.length !== linked.length) return pieces.map((piece) => ({ plain: piece, linked: piece }));
    return [{ plain: line, linked: linked[index] ?? line }];
  });
}

/** What a part may hold with the addresses of its links, counted as the stricter side does. */
const linkedMax = 62_000;

function fitting(lines: readonly TwinLine[]): readonly string[] {
  let room = lines.reduce((left, { plain }) => left - lengthOn('tracker', plain) - 1, linkedMax);
  return lines.map(({ plain, linked }) => {
    const more = lengthOn('tracker', linked) - lengthOn('tracker', plain);
    if (more > room) return plain;
    room -= more;
    return linked;
  });
}

/** How many characters a text has for a server. Older trackers store those beyond the first plane as eleven. */
export function lengthOn(on: Side, text: string): number {
  let length = 0;
  for (const character of text) length += on === 'tracker' && character.length > 1 ? 11 : 1;
  return length;
}

/** How many of the lines make the next part: up to an empty line outside of fences, if one is near enough to the end. */
function endOfPart(lines: readonly string[], room: number, on: Side, open: Fence | null): number {
  let used = 0;
  let end = 0;
  while (end < lines.length) {
    const length = lengthOn(on, lines[end] ?? '') + 1;
    if (end > 0 && used + length > room) break;
    used += length;
    end += 1;
  }
  if (end === lines.length) return end;
  const border = lastBorder(lines.slice(0, end), open);
  const passed = lines.slice(border + 1, end).reduce((sum, line) => sum + line.length, 0);
  return border > 0 && passed < searched ? border : end;
}

/** The last empty line outside of fences; 0 when there is none. */
function lastBorder(lines: readonly string[], before: Fence | null): number {
  let border = 0;
  let open = before;
  for (const [at, line] of lines.entries()) {
    if (line === '' && open === null) border = at;
    open = fenceAfter([line], open);
  }
  return border;
}

interface Fence {
  /** The line that opens it, and the one that closes it. */
  readonly line: string;
  readonly end: string;
}

const fencePattern = /^((?:[> ]|[-*+] |\d{1,9}[.)] )*)(`{3,}|~{3,})([^`~<>]*)$/u;

/** The fence that is open after these lines. */
function fenceAfter(lines: readonly string[], before: Fence | null): Fence | null {
  let open = before;
  for (const line of lines) {
    const [, marks = '', signs, language] = fencePattern.exec(line) ?? [];
    if (signs === undefined) continue;
    // The next part has no list in which an item could go on.
    const place = marks.replace(/[^> ]/gu, ' ');
    if (open === null) open = { line: `${place}${signs}${language}`, end: `${place}${signs}` };
    else if (language === '' && line.startsWith(open.end)) open = null;
  }
  return open;
}

/** Lines of which none is too long. What follows on a cut goes on where it stood: in its quotation, and as the words that it is. */
function linesWithin(lines: readonly string[], room: number, on: Side): readonly string[] {
  return lines.flatMap((line) => {
    const pieces: string[] = [];
    const place = /^(?:> ?)*/u.exec(line)?.[0] ?? '';
    let rest = line;
    while (lengthOn(on, rest) > room) {
      const head = headWithin(rest, room, on);
      const space = head.lastIndexOf(' ') + 1;
      const cut = space > head.length - searched && space > place.length + 1 ? space : head.replace(/(?:\\+|&[#\w]*)$/u, '').length;
      pieces.push(rest.slice(0, cut));
      const after = rest.slice(cut);
      rest = `${place}${on === 'github' ? escapeLineStart(after) : after}`;
    }
    return [...pieces, rest];
  });
}

function headWithin(line: string, room: number, on: Side): string {
  let length = 0;
  let end = 0;
  for (const character of line) {
    length += lengthOn(on, character);
    if (length > room - 2) break;
    end += character.length;
  }
  return line.slice(0, end);
}

/** The border between two parts stands for the empty lines there. */
function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(
    lines.findIndex((line) => line !== ''),
    lines.findLastIndex((line) => line !== '') + 1,
  );
}

/**
 * A text for the other side, in as many parts as it takes there. The parts are written one by one, perhaps days apart, so where they
 * begin follows from the text alone, whatever is known by then of what it refers to.
 */
export function markdownParts(text: string, references: References, isMarkdown = false): readonly string[] {
  const both = [withoutTargets(references), references];
  const [plain = '', linked = ''] = isMarkdown ? safeMarkdowns(text, both) : both.map((each) => toMarkdown(text, each));
  return splitWithLinks(plain, linked, 'github');
}

/** The same in the other direction. */
export function trackerParts(markdown: string, issues: IssueReferences, isMarkdown = false): readonly string[] {
  const written = isMarkdown ? keptMarkdown : toTrackerText;
  const plain = written(markdown);
  // Reading Markdown takes a while, and most texts refer to nothing.
  if (issues === noIssues || !/#\d|\/issues\/\d/u.test(markdown)) return split(plain, 'tracker');
  return splitWithLinks(plain, written(markdown, issues), 'tracker');
}
