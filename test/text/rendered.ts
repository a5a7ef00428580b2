/**
 * What a reader of GitHub sees of a Markdown text, line by line: an independent parser renders it, and its HTML is read
 * back. Lines break where the text has line breaks, as in issues and comments.
 */

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

export interface RenderedText {
  readonly lines: readonly string[];
  /** Text outside of code: where GitHub looks for mentions, numbers and commits. */
  readonly searched: string;
  readonly links: readonly string[];
  /** Elements that stand in the page, each once. */
  readonly elements: ReadonlySet<string>;
}

export const htmlOf = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

interface Reading {
  readonly lines: string[];
  readonly links: string[];
  readonly elements: Set<string>;
  readonly open: string[];
  /** The number of the next item of each open list; null for bullets. */
  readonly numbers: (number | null)[];
  searched: string;
  text: string;
  mark: string;
}

export function rendered(markdown: string): RenderedText {
  const reading: Reading = {
    lines: [],
    links: [],
    elements: new Set(),
    open: [],
    numbers: [],
    searched: '',
    text: '',
    mark: '',
  };
  for (const token of htmlOf(markdown).match(/<[^>]*>|[^<]+/gu) ?? []) {
    const [, end, name, attributes = ''] = /^<(\/?)([a-z]\w*)([^>]*)>$/u.exec(token) ?? [];
    if (name === undefined) addText(reading, decoded(token));
    else if (end === '/') close(reading, name);
    else begin(reading, name, attributes);
  }
  return reading;
}

function addText(reading: Reading, text: string): void {
  if (reading.open.some((name) => ['p', 'pre', 'li', 'h1', 'h2', 'h3', 'td', 'th'].includes(name)))
    reading.text += text;
  if (!reading.open.includes('code')) reading.searched += text;
}

function begin(reading: Reading, name: string, attributes: string): void {
  reading.elements.add(name);
  if (['br', 'hr', 'img', 'input'].includes(name)) return;
  if (name === 'ul') reading.numbers.push(null);
  if (name === 'ol') reading.numbers.push(Number(/start="(\d+)"/u.exec(attributes)?.[1] ?? 1));
  if (['p', 'pre', 'li'].includes(name)) reading.text = '';
  if (name === 'p' && reading.mark === '') flush(reading);
  if (name === 'li') reading.mark = nextMark(reading);
  if (name === 'a') reading.links.push(decoded(/href="([^"]*)"/u.exec(attributes)?.[1] ?? ''));
  reading.open.push(name);
}

function nextMark({ numbers }: Reading): string {
  const number = numbers.at(-1) ?? null;
  if (number === null) return '- ';
  numbers[numbers.length - 1] = number + 1;
  return `${number}. `;
}

function close(reading: Reading, name: string): void {
  if (name === 'p' || name === 'pre' || (name === 'li' && reading.text.trim() !== '')) flush(reading);
  if (name === 'ul' || name === 'ol') reading.numbers.pop();
  reading.open.splice(reading.open.lastIndexOf(name), 1);
}

function flush(reading: Reading): void {
  const quote = '> '.repeat(reading.open.filter((name) => name === 'blockquote').length);
  for (const [index, row] of reading.text.replace(/\n$/u, '').split('\n').entries()) {
    reading.lines.push(`${quote}${index === 0 ? reading.mark : ' '.repeat(reading.mark.length)}${row}`);
  }
  reading.mark = '';
  reading.text = '';
}

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
