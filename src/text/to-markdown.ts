import { undrawn } from './autolinks.ts';
import { bidiClosed, lastWordOf, visible, withoutAddresses } from './canonical.ts';
import { escapeLineStart, escapeLinked, escapeProse } from './escape.ts';
import { quotedEach } from './imitation/quoted-lines.ts';
import { type Block, blocksOf, itemMark, itemWidth, type ListMark } from './layout/blocks.ts';
import { beside, piecesOf, type Room, unlimited } from './parts/room.ts';
import {
  cutAtReferences,
  isGithubPage,
  mayRefer,
  noReferences,
  type References,
  type SeveralReferences,
  withoutScheme,
  withoutTargets,
} from './references.ts';

/**
 * Plain tracker text as GitHub Markdown that shows the same characters and does nothing else: no headings, HTML,
 * images, mentions or accidental links. Quoted lines become quotations, lists become lists, and lines whose layout
 * matters become code blocks; all other line breaks stay. No e-mail address passes.
 */
export const toMarkdown = (text: string, references: References = noReferences): string =>
  toMarkdowns(text, [references])[0] ?? '';

/**
 * The same for several sets of references: to find the blocks of a text takes longer than to write them, and most texts
 * refer to nothing.
 * @param room for each line; longer ones are cut at the same places for all references, and their pieces have no links
 */
export function toMarkdowns(text: string, several: SeveralReferences, room = unlimited): readonly string[] {
  const lines = quotedEach(linesOf(text));
  const blocks = blocksOf(lines);
  const cuts = new Map<string, readonly string[]>();
  const shown = (references: References) => written(blocks, { references, room, cuts }).join('\n');
  if (lines.some(mayRefer)) return several.map(shown);
  const same = shown(several[0]);
  return several.map(() => same);
}

/** A short piece of tracker text, such as a name, for use within a line, a cell or the text of a link. */
export function toMarkdownInline(text: string): string {
  let [shown, plain] = ['', ''];
  for (const part of partsOf(withoutAddresses(visible(text)).replace(/\s+/gu, ' '))) {
    // Outside of brackets, parsers find a URL within another. All others are words, and what GitHub looks for may begin
    // in one.
    if (part.isAddress && (/github\.com/iu.test(part.text) || withoutScheme(part.text) !== part.text)) {
      // An address in front of it would take in the sign of code.
      const apart = /\/\/|www\./iu.test(lastWordOf(plain)) ? ' ' : '';
      shown += `${escapeProse(plain)}${apart}\`${part.text.replaceAll('|', '%7C')}\``;
      plain = '';
    } else plain += part.text;
  }
  return shown + escapeProse(plain);
}

export const linesOf = (text: string): readonly string[] => rowsOf(withoutAddresses(visible(text)));

/** The lines of a text without leading and trailing empty lines, and without trailing white space. */
export function rowsOf(text: string): readonly string[] {
  const lines = text
    .replace(/\r\n?/gu, '\n')
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.slice(
    lines.findIndex((line) => line !== ''),
    lines.findLastIndex((line) => line !== '') + 1,
  );
}

/** What the lines of a text are written for. */
interface Writing {
  readonly references: References;
  readonly room: Room;
  /** The pieces of lines that are too long, by the room and the line: the same for all references. */
  readonly cuts: Map<string, readonly string[]>;
}

function written(blocks: readonly Block[], writing: Writing): readonly string[] {
  const lines: string[] = [];
  let lastList: ListMark | null = null;
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'blank') {
      lines.push(...spacer(block.count, blocks[index - 1]?.kind === 'prose', blocks[index + 1]?.kind === 'prose'));
      continue;
    }
    // Empty lines kept before prose belong to its paragraph.
    const isAfterSpacer = block.kind === 'prose' && lines.at(-1) === emptyLine && blocks[index - 2]?.kind !== 'prose';
    if (lines.length > 0 && !isAfterSpacer) lines.push('');
    if (block.kind === 'list') {
      const listMark: ListMark = lastList === null ? block.mark : otherThan(lastList, block.mark);
      lines.push(...listLines(block, listMark, writing));
      lastList = listMark;
    } else {
      lines.push(...blockLines(block, writing));
      lastList = null;
    }
  }
  return lines;
}

const emptyLine = '&nbsp;';

/** Markdown collapses consecutive empty lines; the others are kept as lines of the paragraph before or after them. */
function spacer(count: number, isAfterProse: boolean, isBeforeProse: boolean): readonly string[] {
  if (count < 2) return [];
  return [
    ...(isAfterProse ? [] : ['']),
    ...Array.from({ length: count - 1 }, () => emptyLine),
    ...(isAfterProse || isBeforeProse ? [] : ['']),
  ];
}

function blockLines(block: Exclude<Block, { kind: 'blank' | 'list' }>, writing: Writing): readonly string[] {
  const { room } = writing;
  if (block.kind === 'prose') return block.lines.flatMap((line) => proseLines(line, writing));
  if (block.kind === 'quote')
    return written(block.blocks, { ...writing, room: beside('> ', room) }).map((line) =>
      line === '' ? '>' : `> ${line}`,
    );
  const lines = block.lines.flatMap((line) => piecesOf(line, room, bidiClosed).map(bidiClosed));
  const code = fenced(lines, undrawn(block.language), block.isFenced ? '~' : '`');
  const isFence = room === unlimited || (code[0] ?? '').length <= fenceMax;
  return isFence ? code : block.lines.flatMap((line) => proseLines(line, writing));
}

/** A fence is repeated in each part of a long text; a longer one would leave no room for the code. */
export const fenceMax = 200;

/** Two lists with the same sign, separated only by blank lines, would merge. */
function otherThan(last: ListMark, wanted: ListMark): ListMark {
  if (last.sign !== wanted.sign) return wanted;
  const other: Readonly<Record<string, string>> = { '-': '*', '*': '-', '.': ')', ')': '.' };
  return { ...wanted, sign: other[wanted.sign] ?? wanted.sign };
}

function listLines(
  { items, gaps }: Extract<Block, { kind: 'list' }>,
  listMark: ListMark,
  writing: Writing,
): readonly string[] {
  return items.flatMap((item, index) => [
    ...(gaps.has(index) ? [''] : []),
    ...item.flatMap((line, row) => {
      const signs = row === 0 ? itemMark(listMark, index) : ' '.repeat(itemWidth(listMark, index));
      // The next part contains no list, so the rest of a long line stands at the margin.
      const [first = '', ...rest] = proseLines(line, { ...writing, room: beside(signs, writing.room) });
      return [`${signs}${first}`, ...rest];
    }),
  ]);
}

/**
 * Signs at the end of a URL belong to the sentence around it, unless they close a bracket that the URL opened. East
 * Asian sentences continue without a space, so their signs end it as well. GitHub also links schemes in capitals.
 */
const address =
  /((?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp]):\/\/[^\s<>"'`\\\u200b\u201c\u201d\u3001\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]*[^\s<>"'`\\\u200b\u201c\u201d\u3001\u3002\u3008-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f.,;:!?)\]}*_~|])(\)*)/u;

/** A line of words, or its pieces if it is too long. Where it is cut does not depend on the known targets. */
function proseLines(line: string, { references, room, cuts }: Writing): readonly string[] {
  const withoutLinks = (words: string) => proseLine(bidiClosed(words), withoutTargets(references));
  const place = `${room.max} ${line}`;
  const pieces = cuts.get(place) ?? piecesOf(line, room, withoutLinks);
  cuts.set(place, pieces);
  return pieces.length === 1 ? [proseLine(line, references)] : pieces.map(withoutLinks);
}

function proseLine(line: string, references: References): string {
  const indent = /^[ \t]*/u.exec(line)?.[0] ?? '';
  const shown = inLine(
    partsOf(line.slice(indent.length)).map(({ text, isAddress }) =>
      isAddress ? pageLink(text, references) : words(text, references),
    ),
  );
  return `${wide(indent.replace(/\t/gu, '        '))}${escapeLineStart(shown)}`;
}

interface LinePart {
  readonly text: string;
  readonly isAddress: boolean;
}

/** A line, cut at the URLs in it. */
export function partsOf(line: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  let rest = line;
  for (let found = address.exec(rest); found !== null; found = address.exec(rest)) {
    const [, url = '', closing = ''] = found;
    const opened = url.split('(').length - url.split(')').length;
    const text = url + closing.slice(0, Math.max(0, opened));
    parts.push({ text: rest.slice(0, found.index), isAddress: false }, { text, isAddress: true });
    rest = rest.slice(found.index + text.length);
  }
  return [...parts, { text: rest, isAddress: false }].filter(({ text }) => text !== '');
}

/** Spaces that a browser would collapse or drop. */
const wide = (spaces: string): string => '&nbsp;'.repeat(spaces.length);

function words(text: string, references: References): string {
  const parts = cutAtReferences(text.replace(/\t/gu, '        '), references).map((part) => {
    const shown = (part.url === null ? escapeProse : escapeLinked)(part.text);
    const wide = shown.replace(/ {2,}/gu, (spaces) => `${'\u00a0'.repeat(spaces.length - 1)} `);
    return part.url === null ? wide : `[${wide}](${part.url})`;
  });
  return inLine(parts);
}

/** A link after an exclamation mark would be a picture. */
const inLine = (parts: readonly string[]): string =>
  parts.map((part, index) => (parts[index + 1]?.startsWith('[') ? part.replace(/!$/u, '\\!') : part)).join('');

/** A bare GitHub URL would add an event to the issue it names; as code it does not. */
function pageLink(url: string, references: References): string {
  const better = references.page(url);
  if (better !== null) return `[${escapeLinked(url)}](${better})`;
  const hasEntity = /&#?\w+;/u.test(url);
  return hasEntity || isGithubPage(url, references.webHost) ? `\`${url}\`` : `<${url}>`;
}

/** Lines as a code block, between fences that are longer than any run of their sign within; `language` may be empty. */
export function fenced(lines: readonly string[], language: string, sign: '`' | '~' = '`'): readonly string[] {
  const runs = lines.flatMap((line) => line.match(sign === '`' ? /`+/gu : /~+/gu) ?? []);
  const fence = sign.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
  return [`${fence}${language}`, ...lines, fence];
}
