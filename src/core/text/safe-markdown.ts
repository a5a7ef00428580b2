import type { Code, Definition as DefinitionNode, Html, Image, ImageReference, Link, LinkReference, Nodes, Text } from 'mdast';
import { broken, escapeProse, mark } from './escape.ts';
import { isEnterprisePage } from './github-page.ts';
import { guarded, isOpenEnded } from './guard.ts';
import {
  type Change,
  changed,
  destination,
  endOf,
  inPlaceOf,
  linesOfWords,
  type Place,
  sourceOf,
  standing,
  startOf,
  type WordLine,
  wordsOf,
} from './in-place.ts';
import { type Definition, definitionsIn, parsedInPlace } from './parse.ts';
import { noReferences, type Part, type References, referencesIn } from './references.ts';
import { isTangle } from './tangle.ts';
import { inLine, partsOf, rowsOf, toMarkdown } from './to-markdown.ts';
import { visible, withoutAddresses } from './visible.ts';

/**
 * Markdown of the tracker as Markdown of GitHub: it stays as it was written, and does nothing that it did not do there. Mentions, numbers
 * of issues, commits and emoji are words; elements of HTML stand as their characters, and pictures are links, as trackers show them;
 * references to bugs and comments become links. No e-mail address passes.
 */
export const safeMarkdown = (text: string, references: References = noReferences): string => safeMarkdowns(text, [references])[0] ?? '';

/** The same once for each of several ways to refer: to parse a long text takes longer than all the rest. */
export function safeMarkdowns(text: string, several: readonly References[]): readonly string[] {
  const source = rowsOf(visible(text)).join('\n');
  if (isTangle(source)) return several.map((references) => toMarkdown(source, references));
  const root = parsedInPlace(source);
  const definitions = definitionsIn(root);
  const last = root.children.at(-1);
  return several.map((references) => {
    const pass: Pass = { source, references, definitions, changes: [] };
    for (const child of root.children) visit(pass, child, { parent: root, isLinked: false });
    // Those in code, in the addresses of pages and in titles are left by now.
    return withoutAddresses(changed(source, pass.changes)) + (last?.type === 'code' ? missingFence(source, last) : '');
  });
}

interface Pass {
  readonly source: string;
  readonly references: References;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly changes: Change[];
}

function visit(pass: Pass, node: Nodes, place: Place): void {
  if (node.type === 'text') visitWords(pass, node, place);
  else if (node.type === 'html') visitHtml(pass, node, place);
  else if (node.type === 'image' || node.type === 'imageReference') visitPicture(pass, node, place);
  else if (node.type === 'link' || node.type === 'linkReference') visitLink(pass, node, place);
  else if (node.type === 'definition') visitDefinition(pass, node);
  else if (node.type === 'code') visitCode(pass, node);
  else if ('children' in node) for (const child of node.children) visit(pass, child, { ...place, parent: node });
}

function visitWords({ source, references, changes }: Pass, node: Text, { parent, isLinked }: Place): void {
  const lines = linesOfWords(source, node, parent);
  for (const [index, line] of lines.entries()) {
    const shown = shownWords(source, line, isLinked ? null : references);
    const text = guarded(node, parent, shown, { isFirst: index === 0, isLast: index === lines.length - 1 });
    if (text !== source.slice(line.start, line.end)) changes.push({ start: line.start, end: line.end, text });
  }
}

/**
 * Words get only what makes them safe. Where an escape or an entity is among those of a line, all of them are written anew.
 * @param references null within a link, which has no other in it
 */
function shownWords(source: string, line: WordLine, references: References | null): string {
  // What is left of an address ends with another kind of character than it did.
  const words = withoutAddresses(line.text).replace(/@…(?=[*_~])/gu, `$&${mark}`);
  const parts = references === null ? [{ text: words, url: null, isAddress: false }] : linkedParts(words, references);
  const isHarmless = words === line.text && unpinged(words) === words && parts.every((part) => part.url === null && !isCode(part));
  if (isHarmless) return source.slice(line.start, line.end);
  if (line.isRaw) return written(parts, ({ text, isAddress }) => (isAddress ? text : unpinged(text)));
  return standing(line, written(parts, anew));
}

/** Mathematics is drawn by GitHub alone. */
const unpinged = (text: string): string => broken(text).replace(/\$/gu, '\\$');

interface LinkedPart extends Part {
  /** True for the address of a page that leads where it says. */
  readonly isAddress: boolean;
}

function written(parts: readonly LinkedPart[], plain: (part: LinkedPart) => string): string {
  const isSign = (text: string | undefined): boolean => /^[*_~]$/u.test(text ?? '');
  const shown = parts.map((part, index) => {
    if (part.url === null) return plain(part);
    // Next to a bracket, a sign might be one of emphasis that was none.
    const [before, after] = [parts[index - 1]?.text.at(-1), parts[index + 1]?.text[0]].map((text) => (isSign(text) ? mark : ''));
    return `${before ?? ''}[${escapeProse(part.text)}${destination(part.url, null)}${after ?? ''}`;
  });
  return inLine(shown);
}

/** What nobody sees in a text may stand there for a reason. */
function anew({ text, isAddress }: LinkedPart): string {
  if (isCode({ text, isAddress })) return text;
  if (!isAddress) return text.split(mark).map(escapeProse).join(hiddenSign);
  return /&#?\w+;/u.test(text) ? `\`${text}\`` : `<${text}>`;
}

/** A line that stands for itself, as wide as it was. */
function plainLine(line: string, references: References): string {
  const indent = /^[ \t]*/u.exec(line)?.[0].replace(/\t/gu, '        ') ?? '';
  const words = withoutAddresses(line.slice(/^[ \t]*/u.exec(line)?.[0].length ?? 0));
  return `${'&nbsp;'.repeat(indent.length)}${standing({ isFirst: true }, written(linkedParts(words, references), anew))}`;
}

function linkedParts(words: string, references: References): readonly LinkedPart[] {
  return partsOf(words).flatMap(({ text, isAddress }): readonly LinkedPart[] => {
    if (!isAddress) return referencesIn(text, references).map((part) => ({ ...part, isAddress: false }));
    if (leavesTrace(text, references)) return [{ text: asCode(text), url: null, isAddress: true }];
    const better = betterThan(text, references);
    return [{ text, url: better === text ? null : better, isAddress: true }];
  });
}

/**
 * A link to GitHub would put an event into somebody's issue; by way of GitHub's own redirection it does not. What is mirrored may be
 * linked to.
 */
function betterThan(url: string, references: References): string {
  return references.page(url) ?? url.replace(/^https?:\/\/(?:www\.)?github\.com(?=[/?#]|$)/iu, redirection);
}

/** An Enterprise Server has no such redirection, so there is no link: the address stands as code. */
const leavesTrace = (url: string, references: References): boolean =>
  isEnterprisePage(url, references.webHost) && references.page(url) === null;
const asCode = (url: string): string => `\`${url.replaceAll('`', '%60')}\``;
const isCode = ({ text, isAddress }: Pick<LinkedPart, 'text' | 'isAddress'>): boolean => isAddress && text.startsWith('`');

export const redirection = 'https://redirect.github.com';

function visitLink(pass: Pass, node: Link | LinkReference, place: Place): void {
  const { source, references, definitions, changes } = pass;
  const url = node.type === 'link' ? node.url : (definitions.get(node.identifier)?.url ?? '');
  const better = betterThan(url, references);
  const [start, end] = [startOf(node), endOf(node)];
  if (leavesTrace(url, references)) {
    leaveNoTrace(pass, node, url);
    return;
  }
  if (source[start] !== '[') {
    const words = escapeProse(withoutAddresses(wordsOf(node)));
    if (better === url && !isOfPerson(url)) {
      if (source[start] !== '<' && isOpenEnded(node, place.parent))
        changes.push({ start, end, text: wordsOf(node) === url ? `<${url}>` : `[${words}${destination(url, null)}` });
      return;
    }
    const isBracketed = source[start] === '<';
    const text = isOfPerson(url)
      ? apart(source, node, `${mark}${words}`, isBracketed ? hiddenSign : mark)
      : apart(source, node, `[${words}${destination(better, null)}`, isBracketed ? '' : mark);
    changes.push({ start, end, text });
    return;
  }
  for (const child of node.children) visit(pass, child, { parent: node, isLinked: true });
  if (isOfPerson(url)) unlink(pass, node);
  else if (node.type === 'link' && better !== url) changes.push({ start: wordsEndOf(node), end, text: destination(better, node.title) });
}

function leaveNoTrace(pass: Pass, node: Link | LinkReference, url: string): void {
  const { source, changes } = pass;
  const [start, end] = [startOf(node), endOf(node)];
  if (source[start] === '[') {
    for (const child of node.children) visit(pass, child, { parent: node, isLinked: true });
    unlink(pass, node, ` (${asCode(url)})`);
    return;
  }
  const code = apart(source, node, asCode(withoutAddresses(wordsOf(node))), mark);
  // Signs of code that stand side by side would count as one.
  const [before, after] = [source[start - 1], source[end]].map((sign) => (sign === '`' ? mark : ''));
  changes.push({ start, end, text: `${before}${code}${after}` });
}

const isOfPerson = (url: string): boolean => /^mailto:/iu.test(url);
const wordsEndOf = (node: Link | LinkReference): number =>
  endOf(node.children.at(-1) ?? { ...node, position: undefined }) || startOf(node) + 1;

/** The words of a link without it, and what is said instead behind them. */
function unlink({ source, changes }: Pass, node: Link | LinkReference, instead = ''): void {
  const [start, end] = [startOf(node), endOf(node)];
  const wordsAt = node.children[0] === undefined ? start + 1 : startOf(node.children[0]);
  const [before, after] = apart(source, node, '|', hiddenSign).split('|');
  changes.push({ start, end: wordsAt, text: before ?? '' }, { start: wordsEndOf(node), end, text: `${instead}${after ?? ''}` });
}

/**
 * Whether a sign is one of emphasis depends on what stands next to it. Where brackets come or go there, something that nobody sees
 * keeps it what it was.
 */
function apart(source: string, node: Nodes, words: string, between: string): string {
  const isSign = (at: number): boolean => /[*_~]/u.test(source[at] ?? '');
  return `${isSign(startOf(node) - 1) ? between : ''}${words}${isSign(endOf(node)) ? between : ''}`;
}

/** Read as a sign by parsers, and shown as a character without width. */
const hiddenSign = '&#8203;';

/** Trackers show no pictures in their texts, so nobody meant GitHub to load one. */
function visitPicture({ references, definitions, changes }: Pass, node: Image | ImageReference, { parent, isLinked }: Place): void {
  const { url, title } = node.type === 'image' ? node : (definitions.get(node.identifier) ?? { url: '', title: null });
  const words = escapeProse(withoutAddresses(node.alt || url).replace(/\n/gu, ' '));
  const shown = leavesTrace(url, references) ? `${words} (${asCode(url)})` : `[${words}${destination(betterThan(url, references), title)}`;
  const link = isLinked || isOfPerson(url) ? words : shown;
  changes.push({ start: startOf(node), end: endOf(node), text: guarded(node, parent, link, { isFirst: true, isLast: true }) });
}

function visitDefinition({ references, changes }: Pass, node: DefinitionNode): void {
  const better = betterThan(node.url, references);
  if (better === node.url) return;
  const text = `[${node.label ?? node.identifier}]: ${destination(better, node.title).slice(2, -1)}`;
  changes.push({ start: startOf(node), end: endOf(node), text });
}

/** Elements stand as their characters. */
function visitHtml({ source, references, changes }: Pass, node: Html, { parent }: Place): void {
  if (parent.type === 'root' || parent.type === 'blockquote' || parent.type === 'listItem' || parent.type === 'footnoteDefinition') {
    changes.push(
      inPlaceOf(
        source,
        node,
        node.value.split('\n').map((line) => plainLine(line, references)),
      ),
    );
    return;
  }
  const rows = sourceOf(source, node).split('\n');
  const text = rows.map((row, index) => {
    const place = index === 0 ? '' : (/^[ \t>]*/u.exec(row)?.[0] ?? '');
    return place + standing({ isFirst: index > 0 }, escapeProse(row.slice(place.length)));
  });
  changes.push({ start: startOf(node), end: endOf(node), text: text.join('\n') });
}

/** Languages that GitHub does not show as code but draws. */
const drawn = /^(?:mermaid|math|geojson|topojson|stl|suggestion)$/iu;

function visitCode({ source, changes }: Pass, node: Code): void {
  if (!drawn.test(node.lang ?? '')) return;
  const at = startOf(node) + (/^(?:`+|~+)\s*/u.exec(sourceOf(source, node))?.[0].length ?? 0);
  changes.push({ start: at, end: at, text: mark });
}

/** A fence that nobody closed ends with the text, and what the bridge writes below is no code. */
function missingFence(source: string, node: Code): string {
  const [first = '', ...rest] = sourceOf(source, node).split('\n');
  const fence = /^(?:`{3,}|~{3,})/u.exec(first)?.[0];
  if (fence === undefined) return '';
  const last = rest.at(-1)?.trim() ?? '';
  const isClosed = last.startsWith(fence) && last.replaceAll(fence[0] ?? '', '') === '';
  return isClosed ? '' : `\n${fence}`;
}
