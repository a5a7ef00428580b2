import type { Side } from '../model/ids.ts';
import { escapeLineStart } from './escape.ts';
import { keptMarkdown } from './kept-markdown.ts';
import { type IssueReferences, noIssues, type References, withoutTargets } from './references.ts';
import { safeMarkdowns } from './safe-markdown.ts';
import { toMarkdowns } from './to-markdown.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * Capacity of a comment or body, in characters: 65,535 on the tracker, 65,536 on GitHub. The rest is reserved for our
 * own lines.
 */
const textMax = 60_000;

/** Reserve for closing and reopening a fence. */
const fenceRoom = 500;

/** How far before the end of a part a better place to cut is searched. */
const searched = 4_000;

/**
 * Splits a text into parts that fit into one comment each, without losing anything. It cuts between paragraphs if
 * possible, else between lines, and within a line only if that line alone is too long: then between words, and never
 * within a character, an escape or an entity. A fenced block that is cut is closed, and reopened in the next part.
 * @param on the side that the parts are for
 */
export const split = (text: string, on: Side): readonly string[] => splitWithLinks(text, text, on);

/**
 * The same for a text with links, cut where the text without links would be: the known targets change over time, and
 * parts that were written earlier must remain the same. Lines without room for their links stay plain, and so does a
 * line that alone is too long.
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
    parts.push(
      trimmed([...(open === null ? [] : [open.line]), ...own, ...(after === null ? [] : [after.end])]).join('\n'),
    );
    open = after;
    rest = rest.slice(end);
  }
  return parts.filter((part) => part !== '');
}

interface TwinLine {
  readonly plain: string;
  readonly linked: string;
}

/** Lines none of which is too long without its links. */
function twinLines(text: string, linkedText: string, room: number, on: Side): readonly TwinLine[] {
  const [plain, linked] = [text.split('\n'), linkedText.split('\n')];
  return plain.flatMap((line, index) => {
    const pieces = linesWithin([line], room, on);
    if (pieces.length > 1 || plain.length !== linked.length)
      return pieces.map((piece) => ({ plain: piece, linked: piece }));
    return [{ plain: line, linked: linked[index] ?? line }];
  });
}

/** Capacity of a part with the URLs of its links, counted as on the stricter side. */
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

/** Number of characters that a server counts. Older trackers store a character beyond the first plane as eleven. */
export function lengthOn(on: Side, text: string): number {
  let length = 0;
  for (const character of text) length += on === 'tracker' && character.length > 1 ? 11 : 1;
  return length;
}

/** Number of lines for the next part: up to an empty line outside of fences, if there is one near the end. */
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

/** The last empty line outside of fences; 0 if there is none. */
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
  /** The opening and the closing line. */
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
    // The next part contains no list that an item could continue.
    const place = marks.replace(/[^> ]/gu, ' ');
    if (open === null) open = { line: `${place}${signs}${language}`, end: `${place}${signs}` };
    else if (language === '' && line.startsWith(open.end)) open = null;
  }
  return open;
}

/** Lines none of which is too long. The rest of a cut line keeps its place: in its quotation, and as plain text. */
function linesWithin(lines: readonly string[], room: number, on: Side): readonly string[] {
  return lines.flatMap((line) => {
    const pieces: string[] = [];
    const place = /^(?:> ?){0,100}/u.exec(line)?.[0] ?? '';
    let rest = line;
    while (lengthOn(on, rest) > room) {
      const head = headWithin(rest, room, on);
      const space = head.lastIndexOf(' ') + 1;
      const cut = space > head.length - searched && space > place.length + 1 ? space : endOfHead(head, place.length);
      pieces.push(rest.slice(0, cut));
      const after = rest.slice(cut);
      rest = `${place}${on === 'github' ? escapeLineStart(after) : after}`;
    }
    return [...pieces, rest];
  });
}

/** Before an escape or an entity that would be cut; between two escapes if they go on for longer than is searched. */
function endOfHead(head: string, least: number): number {
  const end = head.search(/(?<!\\)\\+$|&[#\w]*$/u);
  if (end === -1) return head.length;
  return end > least && end > head.length - searched ? end : head.length - ((head.length - end) % 2);
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

/** The border between two parts replaces the empty lines there. */
function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(
    lines.findIndex((line) => line !== ''),
    lines.findLastIndex((line) => line !== '') + 1,
  );
}

/**
 * A text for the other side, in as many parts as needed. The parts are written one by one, perhaps days apart, so their
 * borders depend on the text alone, and not on the targets that are known by then.
 */
export function markdownParts(text: string, references: References, isMarkdown = false): readonly string[] {
  const [plain = '', linked = ''] = (isMarkdown ? safeMarkdowns : toMarkdowns)(text, [
    withoutTargets(references),
    references,
  ]);
  return splitWithLinks(plain, linked, 'github');
}

/** The same in the other direction. */
export function trackerParts(markdown: string, issues: IssueReferences, isMarkdown = false): readonly string[] {
  const written = isMarkdown ? keptMarkdown : toTrackerText;
  const plain = written(markdown);
  // Parsing Markdown is slow, and most texts contain no references.
  if (issues === noIssues || !/#\d|\/issues\/\d/u.test(markdown)) return split(plain, 'tracker');
  return splitWithLinks(plain, written(markdown, issues), 'tracker');
}
