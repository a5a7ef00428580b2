import type { Nodes } from 'mdast';
import { parsedBlocks } from './parse.ts';

/**
 * Texts that would keep a Markdown parser busy for seconds or minutes, and with it the whole bridge. A parser looks back from each sign
 * to where its paragraph begins, and from each underlined or outdented line to where the text does, so that it takes the square of what
 * it is given. Nobody writes by hand what is too much here; pasted logs look so, and they are read best as they stand.
 */
export function isPathological(text: string): boolean {
  if (signsInARow.test(text)) return true;
  const lines = text.split('\n');
  if (lines.length > linesMax || raggedCount(lines) * lines.length > raggedMax) return true;
  return isDense(text.split(/\n[ \t\r>]*\n/u)) && isDense(paragraphsIn(text));
}

const signsInARow = /(?:[>*_~`[\]()!+-]\s?){200}/u;

const linesMax = 5_000;

/** Lines that make a parser look back over the whole text, times all its lines: a second on a busy machine. */
const raggedMax = 4_000_000;

/** Signs of a paragraph times its length, of all paragraphs: a second on a busy machine. */
const densityMax = 8_000_000;

const isDense = (paragraphs: readonly string[]): boolean =>
  paragraphs.reduce((sum, paragraph) => sum + (paragraph.match(/[*_~[\]<]/gu)?.length ?? 0) * paragraph.length + stepsBack(paragraph), 0) >
  densityMax;

/** From each word, which might be an address, a parser looks back to the bracket that was opened last and not closed. */
function stepsBack(paragraph: string): number {
  const open: number[] = [];
  let words = 0;
  let steps = 0;
  for (const [sign] of paragraph.matchAll(/[[\]]|[\w.+-]+/gu)) {
    if (sign === '[') open.push(words);
    else if (sign === ']') open.pop();
    else {
      words += 1;
      steps += words - (open.at(-1) ?? words);
    }
  }
  return steps;
}

/** Lines under headings, and those that may go on with a quotation or a list without its sign. */
function raggedCount(lines: readonly string[]): number {
  let count = 0;
  let isWithin = false;
  for (const line of lines) {
    const hasSign = /^[ \t]*(?:>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/u.test(line);
    if (/^[\s>]*(?:=+|-+)\s*$/u.test(line) || (isWithin && !hasSign && line.trim() !== '')) count += 1;
    isWithin = hasSign || (isWithin && line.trim() !== '');
  }
  return count;
}

/** The paragraphs of a text, and whatever else holds words with signs among them; code holds none. Takes time by the length of the text only. */
function paragraphsIn(text: string): readonly string[] {
  const found: string[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === 'code' || node.type === 'html') return;
    if (containers.has(node.type) && 'children' in node) for (const child of node.children) walk(child);
    else found.push(text.slice(node.position?.start.offset, node.position?.end.offset));
  };
  walk(parsedBlocks(text));
  return found;
}

const containers: ReadonlySet<string> = new Set(['root', 'blockquote', 'list', 'listItem']);
