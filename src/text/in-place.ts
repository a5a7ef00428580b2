/**
 * Changes a Markdown text in a few places and leaves the rest of it as its author wrote it. Places are offsets in the
 * source, as the parser reports them.
 */

import type { Nodes, Parents, Text } from 'mdast';
import { escapeLineStart, hiddenSign, withoutPicture } from './escape.ts';

export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The position of a node. */
export interface NodeContext {
  readonly parent: Parents;
  /** True within the text of a link, which cannot contain another link. */
  readonly isLinked: boolean;
}

/** The source with its changes; a change that begins within another is dropped. */
export function changed(source: string, changes: readonly Change[]): string {
  let at = 0;
  const text = new GrowingText();
  for (const change of [...changes].sort((one, other) => one.start - other.start || one.end - other.end)) {
    if (change.start < at) continue;
    text.add(source.slice(at, change.start));
    text.join(change.text);
    at = change.end;
  }
  text.add(source.slice(at));
  return text.toString();
}

/** A text to which pieces are added. Only its end affects the next piece, so that thousands of pieces take no time. */
export class GrowingText {
  readonly #done: string[] = [];
  #end = '';

  add(words: string): void {
    this.#end += words;
    if (this.#end.length < endMax) return;
    let border = this.#end.length - 2;
    while (border > 0 && this.#end[border] === '\\') border -= 1;
    this.#done.push(this.#end.slice(0, border));
    this.#end = this.#end.slice(border);
  }

  /** Adds markup, as `joined` does. */
  join(markup: string): void {
    const end = joined(this.#end, markup);
    this.#end = '';
    this.add(end);
  }

  toString(): string {
    return this.#done.join('') + this.#end;
  }
}

const endMax = 200;

/** Appends new markup so that a sign at the end of the text before it does not affect it. */
function joined(before: string, added: string): string {
  if (!/^[!-/:-@[-`{-~]/u.test(added)) return before + added;
  let first = before.length;
  while (before[first - 1] === '\\') first -= 1;
  const isEscaping = (before.length - first) % 2 === 1;
  if (isEscaping) return `${before}\\${added}`;
  if (!added.startsWith('[')) return before + added;
  // Directly behind a bracket, the words of a link might be the name of a definition.
  return before.endsWith(']') ? before + hiddenSign + added : withoutPicture(before) + added;
}

export const startOf = ({ position }: Nodes): number => position?.start.offset ?? 0;
export const endOf = ({ position }: Nodes): number => position?.end.offset ?? 0;
/** Where the line of a node begins: to look for it would take long in a line with thousands of nodes. */
const lineOf = (node: Nodes): number => startOf(node) - (node.position?.start.column ?? 1) + 1;
export const sourceOf = (source: string, node: Nodes): string => source.slice(startOf(node), endOf(node));

/** A line of text: its place in the source, and its content. */
export interface WordLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** True if the source has exactly these characters: none is an escape or an entity. */
  readonly isRaw: boolean;
  /** True if only the signs of quotations and lists precede it on its line. */
  readonly isFirst: boolean;
}

/** Text as separate lines, without the signs of the quotations around them. */
export function linesOfWords(source: string, node: Text, parent: Parents): readonly WordLine[] {
  const said = node.value.split('\n');
  const rows = sourceOf(source, node).split('\n');
  // A line break within one line can only come from an entity.
  const values = said.length === rows.length ? said : [said.join(' '), ...rows.slice(1).map(() => '')];
  let offset = startOf(node);
  return rows.map((row, index) => {
    const before = index === 0 ? 0 : (/^[ \t>]*/u.exec(row)?.[0].length ?? 0);
    const after = index === rows.length - 1 ? row.length : row.trimEnd().length;
    const [start, end] = [offset + before, offset + Math.max(before, after)];
    offset += row.length + 1;
    const text = values[index] ?? '';
    const isFirst =
      index > 0 || (parent.type === 'paragraph' && parent.children[0] === node) || beginsLine(source, startOf(node));
    return { start, end, text, isRaw: source.slice(start, end) === text, isFirst };
  });
}

/** Whether nothing but the signs of quotations precedes a place on its line, as behind a hard line break. */
function beginsLine(source: string, at: number): boolean {
  let before = at - 1;
  while (/^[ \t>]$/u.test(source[before] ?? '')) before -= 1;
  return before < 0 || source[before] === '\n';
}

/** Replacement text that does not become a heading or a list at the beginning of a line. */
export const standAlone = ({ isFirst }: Pick<WordLine, 'isFirst'>, text: string): string =>
  isFirst ? escapeLineStart(text) : text;

/**
 * The text before a block on its line, with list marks replaced by spaces of their width; a quotation takes the first
 * space behind its sign.
 */
function placeOf(source: string, node: Nodes): string {
  return source
    .slice(lineOf(node), startOf(node))
    .replace(/>(?=[^\s>])/gu, '> ')
    .replace(/[^>\s]/gu, ' ');
}

/** The quotation signs at the beginning of a node's line. */
export function quotesBefore(source: string, node: Nodes): string {
  return /^[ \t>]*/u.exec(source.slice(lineOf(node), startOf(node)))?.[0] ?? '';
}

/**
 * Lines that replace a block, with an empty line before and after them, so that they do not merge with the text around
 * them.
 * @param lines of Markdown, one or more paragraphs
 */
export function inPlaceOf(source: string, node: Nodes, lines: readonly string[]): Change {
  const place = placeOf(source, node);
  const start = startOf(node);
  // A parser may count the line end as part of the block if a quotation or a list ends there, too.
  const end = start + source.slice(start, endOf(node)).trimEnd().length;
  const lineAt = lineOf(node);
  // Next to a list mark, nothing precedes it.
  const above = source.slice(source.lastIndexOf('\n', lineAt - 2) + 1, lineAt);
  const isBelow = lineAt > 0 && /^[>\s]*$/u.test(source.slice(lineAt, start)) && !/^[>\s]*$/u.test(above);
  const isAbove = !/^\n[>\s]*(?:\n|$)/u.test(source.slice(end, end + 100)) && end < source.length;
  const shown = lines.map((line, index) => (index === 0 || line === '' ? line : place + line));
  const text = shown.map((line) => (line === '' ? place.trimEnd() : line)).join('\n');
  return { start, end, text: `${isBelow ? `\n${place}` : ''}${text}${isAbove ? `\n${place.trimEnd()}` : ''}` };
}

/** The text of a node, without its markup. */
export function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value;
  if ('children' in node) return node.children.map(wordsOf).join('');
  return node.type === 'break' ? '\n' : '';
}
