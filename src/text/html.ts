import { withoutControls } from './canonical.ts';

/**
 * HTML in people's Markdown, as text: tags are dropped; their content and the URLs of links and pictures stay. Names
 * that are no elements stay as their characters. This is no renderer; it reads one tag or one run of tags, as the
 * Markdown parser returns them.
 */
export interface Expansion {
  /** URLs of the links that are open at this point, innermost last. */
  readonly open: string[];
  /** The lists that are open at this point, innermost last: the number of the next item, or null for bullets. */
  readonly lists: (number | null)[];
  /** What else is open: quotations, counted, and text whose spaces count. */
  readonly depth: { quotes: number; preformatted: number };
}

export const noExpansion = (): Expansion => ({ open: [], lists: [], depth: { quotes: 0, preformatted: 0 } });

const tag = /<(\/?)([a-z][a-z0-9-]*)\b((?:[^<>"']|"[^"]*"|'[^']*')*)>/giu;

/** HTML within a line. */
export const expanded = (source: string, expansion: Expansion): string =>
  withoutComments(source).replace(tag, (whole, end: string, name: string, rest: string) =>
    isElement(name) ? tagText(name.toLowerCase(), end === '/', rest, expansion) : whole,
  );

export interface HtmlLine {
  /** The signs of the quotations and lists around it. */
  readonly lead: string;
  readonly text: string;
  /** True if its spaces count. */
  readonly isPreformatted: boolean;
}

/** HTML outside of a sentence, line by line; empty lines count only within preformatted text. */
export function expandedLines(source: string, expansion: Expansion): readonly HtmlLine[] {
  const lines: HtmlLine[] = [];
  const { depth } = expansion;
  let [lead, text] = ['> '.repeat(depth.quotes), ''];
  let isFirst = false;
  const flush = (): void => {
    const isPreformatted = depth.preformatted > 0;
    const shown = isPreformatted ? text : text.trim();
    if (shown !== '' || (isPreformatted && !isFirst)) lines.push({ lead, text: shown, isPreformatted });
    [lead, text, isFirst] = ['> '.repeat(depth.quotes), '', false];
  };
  let at = 0;
  const shown = withoutComments(source);
  const addText = (words: string): void => {
    const [first = '', ...rest] = words.split('\n');
    text += first;
    for (const row of rest) {
      flush();
      text = row;
    }
  };
  for (const match of shown.matchAll(tag)) {
    const [whole, end = '', name = '', rest = ''] = match;
    addText(shown.slice(at, match.index));
    at = match.index + whole.length;
    if (!isElement(name)) text += whole;
    else if (isLineElement(name.toLowerCase())) {
      // The last line end before the end of preformatted text is not shown, nor is the first one after its beginning.
      if (text !== '' || depth.preformatted === 0) flush();
      const mark = tagText(name.toLowerCase(), end === '/', rest, expansion).trimStart();
      isFirst = depth.preformatted > 0;
      lead =
        '> '.repeat(depth.quotes) +
        (mark === '' ? '' : `${'  '.repeat(Math.max(0, expansion.lists.length - 1))}${mark}`);
    } else text += tagText(name.toLowerCase(), end === '/', rest, expansion);
  }
  addText(shown.slice(at));
  if (text !== '') flush();
  return lines;
}

/** Each line is indented by its depth, so without a limit a long text could grow by its depth on every line. */
const depthMax = 20;

function tagText(name: string, isEnd: boolean, rest: string, { open, lists, depth }: Expansion): string {
  if (name === 'a' && isEnd) return inParentheses(open.pop() ?? '');
  if (name === 'a') open.push(attribute(rest, 'href'));
  if (name === 'img') return [attribute(rest, 'alt'), attribute(rest, 'src')].filter((part) => part !== '').join(': ');
  if (name === 'video' && !isEnd) return attribute(rest, 'src');
  if (name === 'li' && !isEnd) return `\n${nextMark(lists)}`;
  const sign = signs[name];
  if (sign !== undefined) return isEnd ? sign.end : sign.start;
  if (name === 'td' || name === 'th') return isEnd ? ' ' : '';
  if (name === 'ol' || name === 'ul') {
    if (isEnd) lists.pop();
    else if (lists.length < depthMax)
      lists.push(name === 'ul' ? null : Number(/^\d{1,9}$/u.exec(attribute(rest, 'start'))?.[0] ?? 1));
  }
  if (name === 'blockquote') depth.quotes = Math.min(depthMax, Math.max(0, depth.quotes + (isEnd ? -1 : 1)));
  if (name === 'pre') depth.preformatted = isEnd ? 0 : 1;
  return isLineElement(name) ? '\n' : '';
}

/** What plain text has for elements whose words mean something else without them. */
const signs: Readonly<Record<string, { readonly start: string; readonly end: string }>> = {
  sup: { start: '^', end: '' },
  sub: { start: '_', end: '' },
  ...Object.fromEntries(['del', 's', 'strike'].map((name) => [name, { start: '~', end: '~' }])),
};

function nextMark(lists: (number | null)[]): string {
  const number = lists.at(-1) ?? null;
  if (number === null) return '- ';
  lists[lists.length - 1] = number + 1;
  return `${number}. `;
}

/**
 * The elements of HTML that GitHub renders in issues, and those that people write for their looks alone. Any other name
 * in angle brackets is a word: `List<String>`, `<module>`, and what GitHub itself shows as characters, such as
 * `<script>`.
 */
const rendered = [
  'a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 h7 h8 hr i img ins',
  'kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead time',
  'tr tt ul var video wbr',
];
const decorative = 'article aside big center font footer g-emoji header main nav nobr section u';

const names: ReadonlySet<string> = new Set([...rendered, decorative].flatMap((line) => line.split(' ')));

/** Elements are written in small letters or in capitals: `<Time>` is a type of a program. */
export const isElement = (name: string): boolean =>
  names.has(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase());

/** Elements that begin and end a line. */
const isLineElement = (name: string): boolean => lineElements.has(name);

const lineElements: ReadonlySet<string> = new Set(
  'article aside blockquote br center dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tr ul'.split(
    ' ',
  ),
);

/**
 * Removes comments, which no reader sees, and nothing else: `<!-->` is a complete comment. An unclosed comment stays as
 * its characters.
 */
export function withoutComments(source: string): string {
  let shown = '';
  let at = 0;
  for (let start = source.indexOf('<!--'); start >= 0; start = source.indexOf('<!--', at)) {
    const length = commentLength(source.slice(start));
    if (length === 0) break;
    shown += source.slice(at, start);
    at = start + length;
  }
  return shown + source.slice(at);
}

/** The length of the comment that a text begins with; 0 if it is never closed. */
function commentLength(text: string): number {
  const [empty] = /^<!---?>/u.exec(text) ?? [];
  if (empty !== undefined) return empty.length;
  const end = /--!?>/gu;
  end.lastIndex = '<!--'.length;
  return end.exec(text) === null ? 0 : end.lastIndex;
}

const inParentheses = (url: string): string => (url === '' ? '' : ` (${url})`);

function attribute(rest: string, name: string): string {
  const [, double, single, bare] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'iu').exec(rest) ?? [];
  return decodedEntities(double ?? single ?? bare ?? '').trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export function decodedEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/giu,
    (whole, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      return code > 0 && code < 0x11_0000 ? withoutControls(String.fromCodePoint(code).toWellFormed()) : whole;
    },
  );
}
