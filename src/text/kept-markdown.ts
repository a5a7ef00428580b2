import type { Code, Html, Image, ImageReference, InlineCode, Link, Nodes, Text } from 'mdast';
import { unbroken, withEmoji } from './autolinks.ts';
import { canonicalText, mark, withoutByteOrder, withoutControls } from './canonical.ts';
import { escapeMarkup, isOpenEnded } from './escape.ts';
import { withoutFooter } from './footer.ts';
import { decodedEntities, type Expansion, expanded, expandedLines, type HtmlLine, noExpansion } from './html.ts';
import { quotedEach } from './imitation/quoted-lines.ts';
import { quotedMarkdown, quotedUnparsed } from './imitation/quoted-markdown.ts';
import {
  type Change,
  changed,
  endOf,
  inPlaceOf,
  linesOfWords,
  type NodeContext,
  quotesBefore,
  sourceOf,
  standAlone,
  startOf,
  type WordLine,
  wordsOf,
} from './in-place.ts';
import { type Definition, definitionsIn, isMultiplied, parsedInPlace } from './parse.ts';
import { isPathological } from './pathological.ts';
import { alertLine, alertWord } from './phrasing.ts';
import { type IssueReferences, noIssues, redirection, trackerWords } from './references.ts';
import { codeSpan, destination, isUncoloured } from './safe-spans.ts';
import { fits, slot } from './slots.ts';
import { toTrackerText } from './to-tracker.ts';

/**
 * GitHub text for a tracker that reads Markdown: it stays Markdown. Issue numbers become bugs, emoji become characters,
 * and pictures and HTML elements become links and text, as trackers show neither. Our own additions are removed, so
 * that Markdown of the tracker comes back unchanged.
 */
export function keptMarkdown(markdown: string, issues: IssueReferences = noIssues): string {
  const text = withoutByteOrder(withoutFooter(markdown)).toWellFormed().replace(/\r\n?/gu, '\n');
  const said = withoutControls(text).trimEnd();
  if (isPathological(said)) return quotedUnparsed(said);
  const source = quotedMarkdown(said, parsedInPlace(said));
  const root = parsedInPlace(source);
  const definitions = definitionsIn(root);
  if (isMultiplied(root, definitions)) return source;
  const pass: Pass = { source, issues, definitions, changes: [], ...noExpansion() };
  for (const child of root.children) {
    if (pass.depth.quotes > 0 && child.type !== 'html') quote(pass, child);
    walk(pass, child, { parent: root, isLinked: false });
  }
  return changed(source, pass.changes).trimEnd();
}

interface Pass extends Expansion {
  readonly source: string;
  readonly issues: IssueReferences;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly changes: Change[];
}

/** The text between two pieces of HTML that form a quotation. */
function quote({ source, changes }: Pass, node: Nodes): void {
  for (let at = startOf(node); at < endOf(node); at = source.indexOf('\n', at) + 1) {
    changes.push({ start: at, end: at, text: '> ' });
    if (!source.slice(at, endOf(node)).includes('\n')) return;
  }
}

function walk(pass: Pass, node: Nodes, place: NodeContext): void {
  if (node.type === 'text') walkWords(pass, node, place);
  else if (node.type === 'html') walkHtml(pass, node, place);
  else if (node.type === 'image' || node.type === 'imageReference') walkPicture(pass, node, place);
  else if (node.type === 'link') walkLink(pass, node, place);
  else if (node.type === 'code') walkCode(pass, node);
  else if (node.type === 'inlineCode') walkSpan(pass, node);
  else if (node.type === 'definition') undirect(pass, node);
  else if ('children' in node)
    for (const child of node.children)
      walk(pass, child, { parent: node, isLinked: place.isLinked || node.type === 'linkReference' });
}

function walkWords({ source, issues, changes }: Pass, node: Text, { parent, isLinked }: NodeContext): void {
  for (const line of linesOfWords(source, node, parent)) {
    const slice = source.slice(line.start, line.end);
    const inner = withoutOuterMarks(source, line);
    const text = isLinked ? unpriced(unbroken(inner.slice)) : shownWords(inner.slice, inner.line, issues);
    if (text !== slice) changes.push({ start: line.start, end: line.end, text });
  }
}

/** Text without the marks that separate a link from emphasis around it; the link adds those that it needs. */
function withoutOuterMarks(source: string, line: WordLine): { slice: string; line: WordLine } {
  const first = isMarkBehindLink(source, line.start) ? mark.length : 0;
  const last =
    line.end - mark.length >= line.start + first && isMarkBeforeLink(source, line.end - mark.length) ? mark.length : 0;
  const slice = source.slice(line.start + first, line.end - last);
  return { slice, line: { ...line, text: line.text.slice(first, line.text.length - last) } };
}

const isSign = (sign: string | undefined): boolean => /^[*_~]$/u.test(sign ?? '');
const isMarkBeforeLink = (source: string, at: number): boolean =>
  source.startsWith(`${mark}[`, at) && isSign(source[at - 1]);
const isMarkBehindLink = (source: string, at: number): boolean =>
  source.startsWith(mark, at) && source[at - 1] === ')' && isSign(source[at + mark.length]);

function shownWords(slice: string, line: WordLine, issues: IssueReferences): string {
  const words = unbroken(line.text);
  const said = trackerWords(unbroken(withEmoji(line.text)), issues);
  const [, alert] = line.isRaw && line.isFirst ? (alertLine.exec(line.text) ?? []) : [];
  if (alert !== undefined) return `**${alertWord(alert)}:**`;
  // Without its mark, this would be a character.
  if (/&#\u200b\w/u.test(line.text)) return standAlone(line, escapeMarkup(said));
  if (line.isRaw) return said;
  return said === words ? unpriced(unbroken(slice)) : standAlone(line, escapeMarkup(said));
}

/** A bare URL with an explicit end. */
const angled = (words: string, url: string): string =>
  words === url ? `<${url}>` : `[${escapeMarkup(words)}${destination(url, null)}`;

/** Only GitHub uses this sign for mathematics. */
const unpriced = (slice: string): string =>
  slice.replace(/\\([\s\S])/gu, (whole, sign: string) => (sign === '$' ? sign : whole));

/**
 * A link to an issue that mirrors a bug names the bug; a link that the bridge made from a URL becomes that URL again.
 */
function walkLink(pass: Pass, node: Link, { parent }: NodeContext): void {
  const { source, issues, changes } = pass;
  const [start, end] = [startOf(node), endOf(node)];
  const words = unbroken(wordsOf(node));
  const bug = issues.page(node.url);
  if (bug !== null && (words === bug || words === node.url)) {
    changes.push({ start, end, text: bug });
    return;
  }
  const url = directed(node.url);
  if (url !== node.url && bare(words) === bare(url)) {
    const isBare =
      !isSign(source[start - 1]) &&
      /^(?:$|\s|[.,:;!?'"]+(?:\s|$)|\u200b[*_~]+[.,:;!?'"]*(?:\s|$))/u.test(source.slice(end, end + 12));
    if (!isBare) keepApart(pass, node);
    changes.push({ start, end, text: isBare ? words : angled(words, url) });
    return;
  }
  keepApart(pass, node);
  if (source[start] !== '[') {
    if (source[start] !== '<' && isOpenEnded(node, parent)) changes.push({ start, end, text: angled(words, url) });
    return;
  }
  for (const child of node.children) walk(pass, child, { parent: node, isLinked: true });
  const [first, last] = [node.children[0], node.children.at(-1)];
  const wordsEnd = last === undefined ? start + 1 : endOf(last);
  if (bug !== null)
    changes.push(
      { start, end: first === undefined ? start + 1 : startOf(first), text: '' },
      { start: wordsEnd, end, text: ` (${bug})` },
    );
  else if (url !== node.url) changes.push({ start: wordsEnd, end, text: destination(url, node.title) });
}

/**
 * Whether a sign is emphasis depends on its neighbours: next to letters, the mark between the sign and a link stays,
 * because the link's bracket would otherwise undo the emphasis.
 */
function keepApart({ source, changes }: Pass, node: Link): void {
  const [start, end] = [startOf(node), endOf(node)];
  if (isMarkBeforeLink(source, start - mark.length) && isAfterCharacter(source, start - mark.length))
    changes.push({ start, end: start, text: mark });
  if (isMarkBehindLink(source, end) && /^[*_~]+[^\s!-/:-@[-`{-~]/u.test(source.slice(end + mark.length)))
    changes.push({ start: end, end, text: mark });
}

/** Whether signs of emphasis end there that follow a letter. */
function isAfterCharacter(source: string, end: number): boolean {
  let first = end;
  while (isSign(source[first - 1])) first -= 1;
  return first < end && /[^\s!-/:-@[-`{-~]/u.test(source.slice(Math.max(0, first - 1), first));
}

const bare = (url: string): string => url.replace(/^(?:https?:\/\/)?(?:www\.)?/u, '');
const directed = (url: string): string =>
  url.startsWith(redirection) ? `https://github.com${url.slice(redirection.length)}` : url;

function undirect({ source, changes }: Pass, node: Nodes): void {
  const slice = sourceOf(source, node);
  if (slice.includes(redirection))
    changes.push({ start: startOf(node), end: endOf(node), text: slice.replace(redirection, 'https://github.com') });
}

function walkPicture({ definitions, changes }: Pass, node: Image | ImageReference, { isLinked }: NodeContext): void {
  const url = node.type === 'image' ? node.url : (definitions.get(node.identifier)?.url ?? '');
  const words = escapeMarkup((node.alt || url).replace(/\n/gu, ' '));
  const text = isLinked ? words : `[${words}${destination(url, null)}`;
  changes.push({ start: startOf(node), end: endOf(node), text });
}

function walkHtml(pass: Pass, node: Html, { parent }: NodeContext): void {
  const { source, changes } = pass;
  const isBlock =
    parent.type === 'root' ||
    parent.type === 'blockquote' ||
    parent.type === 'listItem' ||
    parent.type === 'footnoteDefinition';
  if (isBlock) {
    changes.push(inPlaceOf(source, node, blockOfHtml(expandedLines(node.value, pass))));
    return;
  }
  const lines = decodedEntities(expanded(node.value, pass))
    .replace(/(?<!\s)\s*\n\s*/gu, '\n')
    .split('\n');
  const shown = lines.map((line, index) => standAlone({ isFirst: index > 0 }, escapeMarkup(line)));
  const isOneLine = parent.type === 'tableCell' || parent.type === 'heading';
  changes.push({
    start: startOf(node),
    end: endOf(node),
    text: shown.length === 1 ? shown.join('') : shown.join(isOneLine ? ' ' : `\n${quotesBefore(source, node)}`),
  });
}

/** Preformatted lines keep their spaces as code; the signs of lists and quotations are Markdown, too. */
function blockOfHtml(lines: readonly HtmlLine[]): readonly string[] {
  const shown: string[] = [];
  const isQuoted = ({ lead }: HtmlLine): boolean => lead.startsWith('>');
  const quoted = quotedEach(lines.map((line) => (isQuoted(line) ? '' : decodedEntities(line.text))));
  for (const [index, line] of lines.entries()) {
    const { lead, text, isPreformatted } = line;
    const [before, after] = [lines[index - 1], lines[index + 1]];
    const plain = isQuoted(line) ? decodedEntities(text) : (quoted[index] ?? text);
    if (isPreformatted && before?.isPreformatted !== true) shown.push(...(index > 0 ? [''] : []), `${lead}~~~`);
    if (!isPreformatted && before !== undefined && before.lead.startsWith('>') !== lead.startsWith('>')) shown.push('');
    shown.push(
      `${lead}${isPreformatted ? plain.replace(/^~~~/u, ' ~~~') : standAlone({ isFirst: lead === '' || /[->.] $/u.test(lead) }, escapeMarkup(plain))}`,
    );
    if (isPreformatted && after?.isPreformatted !== true)
      shown.push(`${lead}~~~`, ...(after === undefined ? [] : ['']));
  }
  return shown;
}

/** A language that GitHub would render as a drawing. */
function walkCode({ source, changes }: Pass, node: Code): void {
  if (!node.lang?.startsWith(mark)) return;
  const at = source.indexOf(mark, startOf(node));
  changes.push({ start: at, end: at + mark.length, text: '' });
}

function walkSpan({ changes }: Pass, node: InlineCode): void {
  if (isUncoloured(node.value))
    changes.push({ start: startOf(node), end: endOf(node), text: codeSpan(node.value.slice(1)) });
}

/**
 * Whether a copy on the tracker contains the text of its source on GitHub, whatever its references meant when it was
 * written: `#12` may appear unchanged, or as a bug. White space and drawn lines may have any length, as those of tables
 * and headings follow their text; and signs of quotation may be missing, as each version quoted other lines that look
 * like the bridge's own.
 */
export const carries = (copy: string, source: string): boolean =>
  [toTrackerText, keptMarkdown].some((written) => carriesAs(written, copy, source));

type Translation = (markdown: string, issues?: IssueReferences) => string;

/** The copy does not say which of the two it was: trackers may start to read Markdown. */
function carriesAs(written: Translation, copy: string, source: string): boolean {
  const shown = asCarried(copy);
  const page = (url: string): string | null => (issuePage.test(url) ? slot : null);
  const slotted = asCarried(written(source, { issue: () => slot, page }));
  // Most texts contain no references, and each translation of a long one takes time.
  if (!slotted.includes(slot)) return slotted === shown;
  // Where a reference remains what it was, other signs may remain as well.
  return fits(squashed(shown), squashed(slotted)) || asCarried(written(source)) === shown;
}

/** What a comment shows of a translation below the bridge's line: empty lines at the beginning are lost in it. */
const asCarried = (text: string): string =>
  canonicalText(text)
    .replace(/^\s*\n/u, '')
    .replace(quotingSigns, '$1');

/** At the beginning of a line, behind the signs of lists and tables. */
const quotingSigns = /^((?:[ \t|#*+-]|\d{1,9}[.)][ \t]){0,40})(?:\\?>[ \t]?){1,40}/gmu;

const issuePage = /^https?:\/\/[^/\s]+\/[^/\s]+\/[^/\s]+\/issues\/\d+(?:#issuecomment-\d+)?$/u;

const squashed = (text: string): string => canonicalText(text).replace(/(?:\s|[=-]{3,})+/gu, ' ');
