import type { Code, Nodes, Parents, Root } from 'mdast';
import { decodedEntities, expanded, noExpansion } from '../html.ts';
import { type Change, changed, linesOfWords, sourceOf, startOf } from '../in-place.ts';
import { imitations } from './imitates.ts';

/**
 * Markdown of people in which each line that readers would take for the bridge's own begins with a sign of quotation.
 * The sign goes into the words, and begins no quotation of Markdown: that would end the list, the table or the code
 * around it. This changes what people wrote, before it is translated, so that everything that makes a text harmless
 * comes after it. HTML is quoted where it is written.
 * @param root as the source is parsed
 */
export function quotedMarkdown(source: string, root: Root): string {
  const lines = [...linesIn(source, root)];
  const found = imitations(lines.flatMap(({ words, isFirst }) => (isFirst ? ['', words] : [words])));
  let blocks = 0;
  const isFound = lines.map(({ isFirst }, at) => {
    if (isFirst) blocks += 1;
    return found[at + blocks] === true;
  });
  const changes = lines
    .filter((_line, at) => isFound[at] === true)
    .map(({ at, sign }): Change => ({ start: at, end: at, text: sign }));
  return changes.length === 0 ? source : changed(source, changes);
}

/** The same for Markdown that would take too long to parse: line by line, behind the signs of lists and tables. */
export function quotedUnparsed(source: string): string {
  const lines = source.split('\n');
  const found = imitations(lines.map((line) => decodedEntities(line)));
  return lines
    .map((line, at) => (found[at] === true ? line.replace(/^(?:[ \t>|#*+-]|\d+[.)] )*/u, '$&\\> ') : line))
    .join('\n');
}

/** A line as readers see it, and the sign that would quote it. */
interface SeenLine {
  readonly at: number;
  readonly words: string;
  readonly sign: string;
  /** Whether a block begins with it. */
  readonly isFirst: boolean;
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
  let isFirst = true;
  for (const [index, row] of rows.entries()) {
    end += row.length + 1;
    const words = (lines[index] ?? '').trimStart();
    if (words !== '' && row.endsWith(words)) yield { at: end - words.length, words, sign: '> ', isFirst };
    isFirst = words === '';
  }
}

function* linesOf(source: string, block: Parents): Generator<SeenLine> {
  let [at, words, isFirst]: [number | null, string, boolean] = [null, '', true];
  for (const piece of piecesOf(source, block, block)) {
    if (piece.isNewLine) {
      if (at !== null) yield { at, words, sign: '\\> ', isFirst };
      [at, words, isFirst] = [null, '', false];
    }
    at ??= piece.at;
    words += piece.words;
  }
  if (at !== null) yield { at, words, sign: '\\> ', isFirst };
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
