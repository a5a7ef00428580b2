import { isOfProgram, type Layout, layoutsIn } from './layout.ts';
import { strengthOf } from './line-features.ts';
import { isProse } from './sentences.ts';
import { spanAt } from './spans.ts';

/** Plain text, line by line, as a reader perceives it. Blank lines separate blocks and are counted. */
export type Block =
  | { readonly kind: 'blank'; readonly count: number }
  | { readonly kind: 'prose'; readonly lines: readonly string[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly language: string; readonly lines: readonly string[]; readonly isFenced: boolean }
  | {
      readonly kind: 'list';
      readonly mark: ListMark;
      readonly items: readonly (readonly string[])[];
      /** The items above which an empty line stands. */
      readonly gaps: ReadonlySet<number>;
    };

export interface ListMark {
  /** `-`, `*`, `.` or `)`: the last two follow a number. */
  readonly sign: string;
  /** The number of the first item; null for bullets. */
  readonly first: number | null;
}

/** The lines have normalized ends and no trailing white space. */
export function blocksOf(lines: readonly string[], depth = 0): readonly Block[] {
  const blocks: Block[] = [];
  // Grows line by line: copying it for each line would take quadratic time in long texts.
  let paragraph: string[] | null = null;
  const layoutAt = layoutsIn(lines);
  let at = 0;
  while (at < lines.length) {
    const { block, length } = blockAt({ lines, depth, layoutAt }, at);
    at += length;
    if (block.kind !== 'prose') {
      blocks.push(block);
      paragraph = null;
    } else if (paragraph === null) {
      paragraph = [...block.lines];
      blocks.push({ kind: 'prose', lines: paragraph });
    } else paragraph.push(...block.lines);
  }
  return blocks;
}

interface BlockMatch {
  readonly block: Block;
  readonly length: number;
}

/** What is asked of each line of a text or of a quotation in it. */
interface Reading {
  readonly lines: readonly string[];
  /** How many quotations the lines stand in. */
  readonly depth: number;
  readonly layoutAt: (at: number) => Layout | null;
}

function blockAt(reading: Reading, at: number): BlockMatch {
  const { lines } = reading;
  return (
    blankAt(lines, at) ??
    quoteAt(reading, at) ??
    fenceAt(lines, at) ??
    codeAt(reading, at) ??
    listAt(lines, at) ??
    proseAt(lines, at)
  );
}

const proseAt = (lines: readonly string[], at: number): BlockMatch => ({
  block: { kind: 'prose', lines: lines.slice(at, at + 1) },
  length: 1,
});

function blankAt(lines: readonly string[], at: number): BlockMatch | null {
  const count = countFrom(lines, at, (line) => line === '');
  return count === 0 ? null : { block: { kind: 'blank', count }, length: count };
}

/** People do not nest quotations deeper; deeper signs mean something else. */
const depthMax = 20;

function quoteAt({ lines, depth, layoutAt }: Reading, at: number): BlockMatch | null {
  const first = lines[at] ?? '';
  if (depth === depthMax || !first.startsWith('>')) return null;
  if ((isOfProgram(first) || spanAt(lines, at) > 0) && layoutAt(at) !== null) return null;
  const length = countFrom(lines, at, (line) => line.startsWith('>'));
  const inner = lines.slice(at, at + length).map((line) => line.replace(/^> ?/u, ''));
  return { block: { kind: 'quote', blocks: blocksOf(inner, depth + 1) }, length };
}

/** A fenced block, as in Markdown. A fence that is never closed is none. */
function fenceAt(lines: readonly string[], at: number): BlockMatch | null {
  const [, fence, language = ''] = /^(`{3,}|~{3,})([\w+#.-]*)$/u.exec(lines[at] ?? '') ?? [];
  if (fence === undefined) return null;
  const end = lines.indexOf(fence, at + 1);
  if (end === -1) return null;
  return { block: { kind: 'code', language, lines: lines.slice(at + 1, end), isFenced: true }, length: end + 1 - at };
}

function codeAt({ lines, layoutAt }: Reading, at: number): BlockMatch | null {
  const layout = layoutAt(at);
  if (layout === null) return null;
  return {
    block: { kind: 'code', language: layout.language, lines: lines.slice(at, at + layout.length), isFenced: false },
    length: layout.length,
  };
}

const itemPattern = /^( {0,3})(?:([-*])|(\d{1,9})([.)])) (?=\S)/u;

/**
 * Two or more items at about the same distance from the margin, with at most one empty line between two of them;
 * numbers count up. Lines indented below an item's text belong to it.
 */
function listAt(lines: readonly string[], at: number): BlockMatch | null {
  const first = itemPattern.exec(lines[at] ?? '');
  if (first === null) return null;
  const [, indent = '', bullet, number, sign = ''] = first;
  const mark: ListMark = { sign: bullet ?? sign, first: number === undefined ? null : Number(number) };
  const items: string[][] = [];
  const gaps = new Set<number>();
  let length = 0;
  for (let line = lines[at]; line !== undefined; line = lines[at + length]) {
    const gap = items.length > 0 && line === '' ? 1 : 0;
    const next = lines[at + length + gap] ?? '';
    const item = itemPattern.exec(next);
    const width = indent.length + itemWidth(mark, items.length - 1);
    if (item !== null && Math.abs((item[1] ?? '').length - indent.length) < 2 && isNext(mark, item, items.length)) {
      if (gap === 1) gaps.add(items.length);
      items.push([next.slice(item[0].length)]);
      length += gap;
    } else {
      const more = items.length === 0 || gap === 1 ? 0 : itemTextAt(lines, at + length, width);
      if (more === 0) break;
      items.at(-1)?.push(...lines.slice(at + length, at + length + more).map((each) => each.slice(width)));
      length += more - 1;
    }
    length += 1;
  }
  return items.length < 2 ? null : { block: { kind: 'list', mark, items, gaps }, length };
}

/** How many lines below an item belong to it: those below its text, and deeper ones unless any of them is code. */
function itemTextAt(lines: readonly string[], at: number, width: number): number {
  const margin = ' '.repeat(width);
  const isBelow = (line: string): boolean => line.startsWith(margin) && !/^\s/u.test(line.slice(width));
  if (isBelow(lines[at] ?? '')) return 1;
  const count = countFrom(lines, at, (line) => line.startsWith(margin) && !isBelow(line));
  return lines.slice(at, at + count).every(isItemText) ? count : 0;
}

const isItemText = (line: string): boolean =>
  isProse(line) || itemPattern.test(line.trim()) || (isWords(line) && strengthOf(line.trim()) === null);
const isWords = (line: string): boolean => /^[\p{L}\p{N}\s.,;:'"!?-]+$/u.test(line);

/** People mix bullets within a list. */
function isNext({ sign, first }: ListMark, item: RegExpExecArray, index: number): boolean {
  if (first === null) return item[2] !== undefined;
  return item[4] === sign && item[3] === String(first + index);
}

/** The width of an item's mark, with the space after it. */
export const itemWidth = (mark: ListMark, index: number): number => itemMark(mark, index).length;
export const itemMark = ({ sign, first }: ListMark, index: number): string =>
  first === null ? `${sign} ` : `${first + index}${sign} `;

function countFrom(lines: readonly string[], at: number, isOwn: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && isOwn(lines[end] ?? '')) end += 1;
  return end - at;
}
