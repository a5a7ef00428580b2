import type { Code, Nodes, Parents, Root } from 'mdast';
import { decodedEntities, expanded, noExpansion } from '../html.ts';
import { type Change, changed, linesOfWords, sourceOf, startOf } from '../in-place.ts';
import { imitates } from './imitates.ts';

/**
 * Markdown of people in which each line that readers would take for the bridge's own begins with a sign of quotation.
 * The sign goes into the words, and begins no quotation of Markdown: that would end the list, the table or the code
 * around it. This changes what people wrote, before it is translated, so that everything that makes a text harmless
 * comes after it. HTML is quoted where it is written.
 * @param root as the source is parsed
 */
export function quotedMarkdown(source: string, root: Root): string {
  const changes = [...linesIn(source, root)]
    .filter(({ words }) => imitates(words))
    .map(({ at, sign }): Change => ({ start: at, end: at, text: sign }));
  return changes.length === 0 ? source : changed(source, changes);
}

/** The same for Markdown that would take too long to parse: line by line, behind the signs of lists and tables. */
export const quotedUnparsed = (source: string): string =>
  source
    .split('\n')
    .map((line) => (imitates(decodedEntities(line)) ? line.replace(/^(?:[ \t>|#*+-]|\d+[.)] )*/u, '$&\\> ') : line))
    .join('\n');

/** A line as readers see it, and the sign that would quote it. */
interface SeenLine {
  readonly at: number;
  readonly words: string;
  readonly sign: string;
}

/** What stands in a quotation is quoted already. */
function* linesIn(source: string, node: Nodes): Generator<SeenLine> {
  if (node.type === 'code') yield* linesOfCode(source, node);
  else if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    yield* linesOf(source, node);
  else if ('children' in node && node.type !== 'blockquote')
    for (const child of node.children) yield* linesIn(source, child);
}

/** The rows of code end with its lines: what precedes these are the signs and spaces of the blocks around it. */
function* linesOfCode(source: string, node: Code): Generator<SeenLine> {
  const rows = sourceOf(source, node).split('\n');
  const fence = /^(?:`{3}|~{3})/u.test(rows[0] ?? '') ? 1 : 0;
  const lines = ['', '', ...node.value.split('\n')].slice(2 - fence);
  let end = startOf(node) - 1;
  for (const [index, row] of rows.entries()) {
    end += row.length + 1;
    const words = (lines[index] ?? '').trimStart();
    if (words !== '' && row.endsWith(words)) yield { at: end - words.length, words, sign: '> ' };
  }
}

function* linesOf(source: string, block: Parents): Generator<SeenLine> {
  let [at, words]: [number | null, string] = [null, ''];
  for (const piece of piecesOf(source, block, block)) {
    if (piece.isNewLine) {
      if (at !== null) yield { at, words, sign: '\\> ' };
      [at, words] = [null, ''];
    }
    at ??= piece.at;
    words += piece.words;
  }
  if (at !== null) yield { at, words, sign: '\\> ' };
}

interface Piece {
  readonly at: number | null;
  readonly words: string;
  readonly isNewLine: boolean;
}

function* piecesOf(source: string, node: Nodes, parent: Parents): Generator<Piece> {
  if (node.type === 'text') {
    for (const [index, { start, text }] of linesOfWords(source, node, parent).entries())
      yield { at: start, words: text, isNewLine: index > 0 };
  } else if (node.type === 'html') {
    const [first = '', ...rest] = expanded(node.value, noExpansion()).split('\n');
    yield { at: startOf(node), words: first, isNewLine: false };
    for (const words of rest) yield { at: null, words, isNewLine: true };
  } else if (node.type === 'break') yield { at: null, words: '', isNewLine: true };
  else if ('children' in node) {
    if (node !== parent) yield { at: startOf(node), words: '', isNewLine: false };
    for (const child of node.children) yield* piecesOf(source, child, node);
  } else if ('value' in node) yield { at: startOf(node), words: node.value.replace(/\n/gu, ' '), isNewLine: false };
  else yield { at: startOf(node), words: ('alt' in node && node.alt) || '', isNewLine: false };
}
