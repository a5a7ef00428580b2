import { isElement } from '../../text/html.ts';
import { htmlOf } from '../../text/parse.ts';

/**
 * A GitHub text as a reader sees it: rendered as HTML, which the writers do not use, and read back from that.
 * Lines break where the text has line breaks, as in issues and comments.
 */
export interface Sheet {
  readonly blocks: readonly Block[];
}

export interface Block {
  readonly isCode: boolean;
  readonly text: string;
  readonly links: readonly SeenLink[];
  /** URLs of pictures. */
  readonly pictures: readonly string[];
}

export interface SeenLink {
  readonly text: string;
  readonly url: string;
}

/** @param isHtmlShown true if HTML elements are shown as their characters, as on trackers; GitHub hides them */
export function readMarkdown(markdown: string, isHtmlShown = false): Sheet {
  const text = markdown.replace(/\r\n?/gu, '\n');
  const html = htmlOf(text.replace(escapedAlert, `$&${unlike}`), !isHtmlShown);
  if (html === null) return { blocks: [{ isCode: true, text, links: [], pictures: [] }] };
  const reading: Reading = { blocks: [], link: null, numbers: [], isInCode: false };
  const shown = isHtmlShown
    ? html
    : html.replace(
        alert,
        (_, start: string, kind: string) => `${start}${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`,
      );
  for (const token of tokensIn(shown.replaceAll(unlike, ''))) readToken(reading, token);
  return { blocks: reading.blocks.filter(({ text: words, pictures }) => words.trim() !== '' || pictures.length > 0) };
}

/** Comments, tags and the text between them. An opening sign that is never closed is text. */
function* tokensIn(html: string): Generator<string> {
  const last = { comment: html.lastIndexOf('-->'), tag: html.lastIndexOf('>') };
  for (let at = 0, end = 0; at < html.length; at = end) {
    const next = html.indexOf('<', at);
    if (next !== at) end = next === -1 ? html.length : next;
    else if (html.startsWith('<!--', at) && last.comment >= at + 4) end = html.indexOf('-->', at + 4) + 3;
    else end = last.tag > at ? html.indexOf('>', at) + 1 : at + 1;
    yield html.slice(at, end);
  }
}

/** Above an alert, GitHub writes its kind as a word. */
const alert = /(<blockquote>\n<p>)\[!(note|tip|important|warning|caution)\](?=\s*(?:\n|<br))/giu;

/** With a backslash before its bracket it is a line of words; rendered, it would be like an alert. */
const escapedAlert = /\\\[(?=!\w+\\?\])/gu;

/** A character that people do not write. */
const unlike = '\ue0b7';

/** The text of blocks, line by line. */
export const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join('\n');

interface Reading {
  readonly blocks: { isCode: boolean; text: string; links: SeenLink[]; pictures: string[] }[];
  link: { text: string; url: string } | null;
  /** The number of the next item of each open list; null for bullets. */
  readonly numbers: (number | null)[];
  isInCode: boolean;
}

const opening = new Set([
  'p',
  'pre',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'details',
  'summary',
  'blockquote',
  'div',
  'dt',
  'dd',
]);

function readToken(reading: Reading, token: string): void {
  if (token.startsWith('<!--')) return;
  const [, end, tag, attributes = ''] = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?![a-zA-Z0-9])([^>]*)>$/u.exec(token) ?? [];
  if (tag === undefined || !(isElement(tag) || isTask(tag, attributes))) {
    addText(reading, decoded(token));
    return;
  }
  const name = tag.toLowerCase();
  if (end === '/') close(reading, name);
  else open(reading, name, attributes);
}

/** The check box of a list of tasks, as the parser writes it. */
const isTask = (tag: string, attributes: string): boolean =>
  tag === 'input' && /type="checkbox" disabled=""/u.test(attributes);

function open(reading: Reading, name: string, attributes: string): void {
  if (name === 'ul') reading.numbers.push(null);
  if (name === 'ol') reading.numbers.push(Number(/start="(\d+)"/u.exec(attributes)?.[1] ?? 1));
  if (name === 'pre') reading.isInCode = true;
  if (opening.has(name))
    reading.blocks.push({
      isCode: name === 'pre',
      text: name === 'li' ? markOf(reading) : '',
      links: [],
      pictures: [],
    });
  if (name === 'br') addText(reading, '\n');
  if (name === 'td' || name === 'th') addText(reading, '\t');
  if (name === 'input') addText(reading, /checked/u.test(attributes) ? '[x] ' : '[ ] ');
  if (name === 'a') reading.link = { text: '', url: attribute(attributes, 'href') };
  if (name === 'img') {
    addText(reading, attribute(attributes, 'alt'));
    current(reading).pictures.push(attribute(attributes, 'src'));
  }
}

function close(reading: Reading, name: string): void {
  if (name === 'ul' || name === 'ol') reading.numbers.pop();
  if (name === 'pre') reading.isInCode = false;
  // The text that follows begins a new line, even if its author began none.
  if (opening.has(name)) reading.blocks.push({ isCode: false, text: '', links: [], pictures: [] });
  if (name !== 'a' || reading.link === null) return;
  current(reading).links.push(reading.link);
  reading.link = null;
}

function markOf({ numbers }: Reading): string {
  const number = numbers.at(-1) ?? null;
  if (number === null) return '- ';
  numbers[numbers.length - 1] = number + 1;
  return `${number}. `;
}

function addText(reading: Reading, text: string): void {
  if (reading.link !== null) reading.link.text += text;
  current(reading).text += text;
}

function current({ blocks, isInCode }: Reading): Reading['blocks'][number] {
  const last = blocks.at(-1);
  if (last !== undefined) return last;
  const first = { isCode: isInCode, text: '', links: [], pictures: [] };
  blocks.push(first);
  return first;
}

const attribute = (attributes: string, name: string): string =>
  decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'u').exec(attributes)?.[1] ?? '');

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const decoded = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp);/gu, (whole, name: string) => entities[name] ?? whole);
