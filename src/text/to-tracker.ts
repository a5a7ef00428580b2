import type { BlockContent, Blockquote, Code, DefinitionContent, List, ListItem, RootContent } from 'mdast';
import { unmarked } from './autolinks.ts';
import { bidiClosed, withoutControls } from './canonical.ts';
import { withoutFooter } from './footer.ts';
import { decodedEntities, expandedLines, noExpansion, withoutComments } from './html.ts';
import { quotedLines } from './imitation/quoted-lines.ts';
import { layoutAt } from './layout/layout.ts';
import { definitionsIn, isMultiplied, parsed } from './parse.ts';
import { isPathological } from './pathological.ts';
import { alertLine, alertWord, asItStands, inlineText, type Inline as Phrasing, words } from './phrasing.ts';
import { type IssueReferences, noIssues } from './references.ts';
import { fenced, partsOf, toMarkdown } from './to-markdown.ts';

/**
 * GitHub text as readable plain text: every word and every URL stays; markup is dropped if it carries no meaning, and
 * stays if plain text has a use for it. Our own additions are removed, so that the translation of a tracker text comes
 * back unchanged.
 */
export const toTrackerText = (markdown: string, issues: IssueReferences = noIssues): string =>
  quotedLines(plainText(markdown, issues));

function plainText(markdown: string, issues: IssueReferences): string {
  const source = withoutControls(withoutFooter(markdown).toWellFormed().replace(/\r\n?/gu, '\n'));
  if (isPathological(source)) return unparsed(source.trimEnd());
  if (source.split('\n').every((line) => plainLine.test(line)))
    return words(source.replace(/\n{3,}/gu, '\n\n').trim(), { issues });
  const root = parsed(source);
  const definitions = definitionsIn(root);
  if (isMultiplied(root, definitions)) return unparsed(source.trimEnd());
  const text = joined(root.children, { source, issues, definitions, ...noExpansion() });
  return text
    .join('\n')
    .replace(/(?<![ \t])[ \t]+$/gmu, '')
    .trimEnd();
}

/**
 * Translates a text that would take too long to parse, or become too long: unchanged except for templates, or, for a
 * copy of ours, back to the author's text.
 */
function unparsed(source: string): string {
  const plain = unmarked(decodedEntities(source.replace(/\\([!-/:-@[-`{-~])/gu, '$1')));
  return toMarkdown(plain) === source ? plain : asItStands(unmarked(withoutTemplates(source)));
}

/** Removes HTML comments that begin a line. */
function withoutTemplates(source: string): string {
  const last = source.lastIndexOf('-->');
  let [shown, at] = ['', 0];
  for (const { 0: start, index } of source.slice(0, Math.max(0, last)).matchAll(/^ {0,3}<!--/gmu)) {
    if (index < at) continue;
    shown += source.slice(at, index);
    const end = source.indexOf('-->', index + start.length) + '-->'.length;
    at = end + (/^[ \t]*\n?/u.exec(source.slice(end))?.[0].length ?? 0);
  }
  return shown + source.slice(at);
}

/** Most texts are plain words; for such a line, the parser would find nothing else. */
const plainLine = /^(?:\p{L}[\p{L}\p{N} .,;'"()?!%/#-]*[\p{L}\p{N}.,;'"()?!%]|\p{L})?$/u;

type Block = RootContent | BlockContent | DefinitionContent;

interface Inline extends Phrasing {
  /** The complete Markdown text. */
  readonly source: string;
}

/** Blocks are one empty line apart; preserved empty lines are additional ones. */
function joined(blocks: readonly Block[], inline: Inline, isTight = false): readonly string[] {
  const lines: string[] = [];
  let isAfterSpace = false;
  for (const block of blocks) {
    const own =
      block.type === 'html' ? htmlLines(block.value, inline) : withinHtml(linesOfBlock(block, inline), inline);
    const isSpace = block.type === 'paragraph' && own.every((line) => line.trim() === '');
    if (own.length === 0) continue;
    if (lines.length > 0 && !isTight && !isSpace && !isAfterSpace) lines.push('');
    if (isSpace) lines.push(...own.map(() => ''), ...(lines.length > 0 ? [''] : []));
    else lines.push(...own);
    isAfterSpace = isSpace;
  }
  return lines;
}

function linesOfBlock(block: Block, inline: Inline): readonly string[] {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.children, inline).split('\n');
    case 'heading':
      return heading(inlineText(block.children, inline), block.depth);
    case 'blockquote':
      return quotation(joined(block.children, inline), isAlert(block, inline.source));
    case 'list':
      return listLines(block, inline);
    case 'code':
      return codeLines(block, inline.source);
    case 'thematicBreak':
      return ['----------'];
    case 'table':
      return tableLines(
        block.children.map((row) =>
          row.children.map((cell) => bidiClosed(inlineText(cell.children, inline).replace(/\n/gu, ' '))),
        ),
      );
    case 'footnoteDefinition':
      return joined(block.children, inline).map((line, index) =>
        index === 0 ? `[${block.label ?? block.identifier}] ${line}` : line,
      );
    default:
      return [];
  }
}

function heading(text: string, depth: number): readonly string[] {
  if (text === '' || text.includes('\n')) return text.split('\n');
  if (depth > 2) return [`${'#'.repeat(depth)} ${text}`];
  return [text, (depth === 1 ? '=' : '-').repeat(Math.max(3, text.length))];
}

function listLines(list: List, inline: Inline): readonly string[] {
  const isTight = list.spread !== true && list.children.every((item) => item.spread !== true);
  const lines: string[] = [];
  for (const [index, item] of list.children.entries()) {
    if (index > 0 && !isTight) lines.push('');
    lines.push(...itemLines(item, list.ordered === true ? `${(list.start ?? 1) + index}. ` : '- ', inline, isTight));
  }
  return lines;
}

function itemLines(item: ListItem, mark: string, inline: Inline, isTight: boolean): readonly string[] {
  const box = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : '';
  const [first = '', ...rest] = joined(item.children, inline, isTight);
  return [`${mark}${box}${first}`, ...rest.map((line) => (line === '' ? '' : `${' '.repeat(mark.length)}${line}`))];
}

/**
 * Code that is recognisable as code needs no fence, unless it had one on the tracker: those are written with tildes.
 */
function codeLines({ value, lang, position }: Code, source: string): readonly string[] {
  const language = unmarked(lang ?? '');
  const hadFence = source[position?.start.offset ?? 0] === '~';
  const lines = value.split('\n');
  const layout = layoutAt(lines, 0);
  const shown = asItStands(value).split('\n');
  return !hadFence && layout?.length === lines.length && layout.language === language ? shown : fenced(shown, language);
}

/** The box that GitHub draws around an alert has a word above it: its kind. */
function quotation(lines: readonly string[], isOfAlert: boolean): readonly string[] {
  const kind = isOfAlert ? alertLine.exec(lines[0] ?? '')?.[1] : undefined;
  const shown = (kind === undefined ? lines : lines.slice(1)).map((line) =>
    line === '' ? '>' : `> ${line}`.replace(/^> >/u, '>>'),
  );
  return kind === undefined ? shown : [`${alertWord(kind)}:`, ...shown];
}

/** With a backslash before its bracket, the line is one of words. */
const isAlert = ({ children: [first] }: Blockquote, source: string): boolean =>
  first?.type === 'paragraph' && source.startsWith('[!', first.position?.start.offset);

function htmlLines(source: string, inline: Inline): readonly string[] {
  return expandedLines(source, inline).map(({ lead, text, isPreformatted }) => {
    const plain = decodedEntities(text);
    return `${lead}${isPreformatted ? asItStands(plain) : htmlWords(plain, inline)}`.trimEnd();
  });
}

/** Markdown between two pieces of HTML, which may be a quotation. */
const withinHtml = (lines: readonly string[], { depth }: Inline): readonly string[] =>
  depth.quotes === 0 ? lines : lines.map((line) => `${'> '.repeat(depth.quotes)}${line}`.trimEnd());

/** The parser finds no URLs in HTML, and text about bugs must not break one. */
function htmlWords(line: string, inline: Inline): string {
  return partsOf(line)
    .map(({ text, isAddress }) => (isAddress ? (inline.issues.page(text) ?? text) : words(text, inline)))
    .join('');
}

/** Wider columns are unreadable, and a row need not be as wide as the widest one. */
const widthMax = 60;

/** A row that lacks cells is only filled up for alignment. */
const columnsMax = 50;

/** A Markdown table, with its columns aligned for a fixed-width font. */
function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.min(widthMax, Math.max(widths[column] ?? 3, widthOf(cell)));
  }
  const line = (row: readonly string[]): string => {
    const own = widths.slice(0, Math.max(row.length, columnsMax));
    return `| ${own.map((width, column) => padded(row[column] ?? '', width)).join(' | ')} |`;
  };
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)];
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;
const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (wide.test(character) ? 2 : /\p{M}|\u200b/u.test(character) ? 0 : 1), 0);

/** Why an empty text has no copy. */
export const noText = 'it has no text';

/** Whether a GitHub text shows nothing to readers: it is empty, or contains only HTML comments, such as a template. */
export const isWordless = (markdown: string): boolean =>
  withoutComments(markdown).trim() === '' && toTrackerText(markdown) === '';
