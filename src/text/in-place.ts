/**
 * Changing a Markdown text in a few places and leaving everything else in it as its author wrote it. Places are offsets in the source,
 * as the parser tells them.
 */

import type { Nodes, Parents, Text } from 'mdast';
import { escapeLineStart } from './escape.ts';

export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Where a node stands. */
export interface Place {
  readonly parent: Parents;
  /** True within the words of a link, in which there is no other. */
  readonly isLinked: boolean;
}

/** The source with its changes; one that begins within another is left out. */
export function changed(source: string, changes: readonly Change[]): string {
  let at = 0;
  let text = '';
  for (const change of [...changes].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (change.start < at) continue;
    text = joined(text + source.slice(at, change.start), change.text);
    at = change.end;
  }
  return text + source.slice(at);
}

/** New markup behind what stands there, of which a sign at the end must not take hold. */
export function joined(before: string, added: string): string {
  if (!/^[!-/:-@[-`{-~]/u.test(added)) return before + added;
  let first = before.length;
  while (before[first - 1] === '\\') first -= 1;
  const isEscaping = (before.length - first) % 2 === 1;
  if (isEscaping) return `${before}\\${added}`;
  return added.startsWith('[') && before.endsWith('!') && before[before.length - 2] !== '\\'
    ? `${before.slice(0, -1)}\\!${added}`
    : before + added;
}

export const startOf = ({ position }: Nodes): number => position?.start.offset ?? 0;
export const endOf = ({ position }: Nodes): number => position?.end.offset ?? 0;
export const sourceOf = (source: string, node: Nodes): string => source.slice(startOf(node), endOf(node));

/** A line of words: its place in the source, and what it says. */
export interface WordLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** True where the source has exactly these characters: no escape and no entity stands for one. */
  readonly isRaw: boolean;
  /** True where nothing but the signs of quotations and lists stands before it on its line. */
  readonly isFirst: boolean;
}

/** Words as the lines that they stand on, without the signs of the quotations around them. */
export function linesOfWords(source: string, node: Text, parent: Parents): readonly WordLine[] {
  const said = node.value.split('\n');
  const rows = sourceOf(source, node).split('\n');
  // Only an entity can stand for a line break, and only in one line.
  const values = said.length === rows.length ? said : [said.join(' '), ...rows.slice(1).map(() => '')];
  let offset = startOf(node);
  return rows.map((row, index) => {
    const before = index === 0 ? 0 : (/^[ \t>]*/u.exec(row)?.[0].length ?? 0);
    const after = index === rows.length - 1 ? row.length : row.trimEnd().length;
    const [start, end] = [offset + before, offset + Math.max(before, after)];
    offset += row.length + 1;
    const text = values[index] ?? '';
    const isFirst = index > 0 || (parent.type === 'paragraph' && parent.children[0] === node);
    return { start, end, text, isRaw: source.slice(start, end) === text, isFirst };
  });
}

/** Text that replaces words: at the beginning of a line it is no heading and no list. */
export const standAlone = ({ isFirst }: Pick<WordLine, 'isFirst'>, text: string): string => (isFirst ? escapeLineStart(text) : text);

/** What stands before a block on its line, with the marks of lists as the width that they have. */
function placeOf(source: string, node: Nodes): string {
  const start = startOf(node);
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).replace(/[^>\s]/gu, ' ');
}

/** The signs of quotations that begin the line on which something stands. */
export function quotesBefore(source: string, node: Nodes): string {
  const lineAt = source.lastIndexOf('\n', startOf(node) - 1) + 1;
  return /^[ \t>]*/u.exec(source.slice(lineAt, startOf(node)))?.[0] ?? '';
}

/**
 * Lines in place of a block, with an empty line before and after them, so that they become no part of what stands there.
 * @param lines of Markdown, one paragraph or several
 */
export function inPlaceOf(source: string, node: Nodes, lines: readonly string[]): Change {
  const place = placeOf(source, node);
  const start = startOf(node);
  // A parser may count the end of the line to it, where a quotation or a list ends there, too.
  const end = start + source.slice(start, endOf(node)).trimEnd().length;
  const lineAt = source.lastIndexOf('\n', start - 1) + 1;
  // Beside the mark of a list item nothing stands before it.
  const isBelow = lineAt > 0 && /^[>\s]*$/u.test(source.slice(lineAt, start)) && !/(?:^|\n)[>\s]*\n$/u.test(source.slice(0, lineAt));
  const isAbove = !/^\n[>\s]*(?:\n|$)/u.test(source.slice(end, end + 100)) && end < source.length;
  const shown = lines.map((line, index) => (index === 0 || line === '' ? line : place + line));
  const text = shown.map((line) => (line === '' ? place.trimEnd() : line)).join('\n');
  return { start, end, text: `${isBelow ? `\n${place}` : ''}${text}${isAbove ? `\n${place.trimEnd()}` : ''}` };
}

/** The words of a node, without its markup. */
export function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(wordsOf).join('');
  return node.type === 'break' ? '\n' : '';
}
