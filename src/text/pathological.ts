import type { Nodes } from 'mdast';
import { parsedBlocks } from './parse.ts';

/**
 * Detects texts that would keep a Markdown parser busy for seconds or minutes, and with it the whole bridge. A parser looks back
 * from each sign to the start of its paragraph, and from each underlined or outdented line to the start of the text, which takes
 * quadratic time. Nobody writes such texts by hand; pasted logs look like that, and are best read unchanged.
 */
export function isPathological(text: string): boolean {
  if (signsInARow.test(text)) return true;
  const lines = text.split('\n');
  if (lines.length > linesMax || raggedCount(lines) * lines.length > raggedMax) return true;
  return isDense(text.split(/\n[ \t\r>]*\n/u)) && isDense(paragraphsIn(text));
}

const signsInARow = /(?:[>*_~`[\]()!+-]\s?){200}/u;

const linesMax = 5_000;

/** Lines that make a parser look back over the whole text, times all its lines: one second on a busy machine. */
const raggedMax = 4_000_000;

/** Signs of a paragraph times its length, summed over all paragraphs: one second on a busy machine. */
const densityMax = 8_000_000;

const isDense = (paragraphs: readonly string[]): boolean =>
  paragraphs.reduce((sum, paragraph) => sum + (paragraph.match(/[*_~[\]<]/gu)?.length ?? 0) * paragraph.length + stepsBack(paragraph), 0) >
  densityMax;

/** From each word that might be a URL, a parser looks back to the last bracket that is still open. */
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

/** Lines under headings, and those that may continue a quotation or a list without its sign. */
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

/** The paragraphs of a text, and all other containers of inline text; code has none. Takes linear time. */
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
