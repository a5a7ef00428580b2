import type {
  Definition as DefinitionNode,
  FootnoteDefinition,
  FootnoteReference,
  Image,
  ImageReference,
  Link,
  LinkReference,
  Nodes,
  Text,
} from 'mdast';
import { broken } from './autolinks.ts';
import { mark, visible, withoutAddresses, withoutByteOrder } from './canonical.ts';
import { apartFrom, apartTo, disarmed, escapeMarkup, escapeProse, hiddenSign, rowless, shielded } from './escape.ts';
import { quotedMarkdown } from './imitation/quoted-markdown.ts';
import {
  type Change,
  changed,
  endOf,
  inPlaceOf,
  linesOfWords,
  type NodeContext,
  sourceOf,
  standAlone,
  startOf,
  type WordLine,
  wordsOf,
} from './in-place.ts';
import { asCode, escapedPart, linkedParts, written } from './linked-parts.ts';
import { type Definition, definitionsIn, isMultiplied, parsedInPlace } from './parse.ts';
import { isPathological } from './pathological.ts';
import {
  betterThan,
  leavesTrace,
  noReferences,
  type References,
  type SeveralReferences,
  withoutScheme,
} from './references.ts';
import { htmlChange } from './safe-html.ts';
import {
  codeChanges,
  destination,
  isPlainAddress,
  isPlainEnd,
  isPlainLabel,
  isPlainWords,
  safeLabel,
  spanChanges,
  standsPlain,
} from './safe-spans.ts';
import { rowsOf, toMarkdowns } from './to-markdown.ts';

/**
 * Tracker Markdown as GitHub Markdown: it stays as written, and has no effects that it did not have there. Mentions,
 * issue numbers, commits and emoji are plain text; HTML elements appear as their characters, and pictures as links, as
 * on trackers; references to bugs and comments become links. No e-mail address passes.
 */
export const safeMarkdown = (text: string, references: References = noReferences): string =>
  safeMarkdowns(text, [references])[0] ?? '';

/** The same for several sets of references: parsing a long text takes longer than everything else. */
export function safeMarkdowns(text: string, several: SeveralReferences): readonly string[] {
  const said = markdownSource(text);
  return withItsMarkup(said, several) ?? toMarkdowns(said, several);
}

export const markdownSource = (text: string): string => withoutByteOrder(rowsOf(visible(text)).join('\n'));

/** Null for a text that is shown as its characters, because nobody wrote it as Markdown. */
export function withItsMarkup(said: string, several: SeveralReferences): readonly string[] | null {
  if (isPathological(said) || hasLongLine(said)) return null;
  const source = quotedMarkdown(said, parsedInPlace(said));
  const root = parsedInPlace(source);
  const definitions = definitionsIn(root);
  if (isMultiplied(root, definitions)) return null;
  return several.map((references) => {
    const pass: Pass = { source, references, definitions, changes: [] };
    for (const child of root.children) walk(pass, child, { parent: root, isLinked: false });
    // Addresses in code, in URLs and in titles are still there at this point.
    return withoutAddresses(changed(source, pass.changes));
  });
}

/** A line can be cut anywhere only if it is plain text. */
const hasLongLine = (text: string): boolean => text.split('\n').some((line) => line.length > 20_000);

interface Pass {
  readonly source: string;
  readonly references: References;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly changes: Change[];
}

function walk(pass: Pass, node: Nodes, place: NodeContext): void {
  if (node.type === 'text') walkWords(pass, node, place);
  else if (node.type === 'html') pass.changes.push(htmlChange(pass.source, pass.references, node, place));
  else if (node.type === 'image' || node.type === 'imageReference') walkPicture(pass, node, place);
  else if (node.type === 'link' || node.type === 'linkReference') walkLink(pass, node);
  else if (node.type === 'definition') walkDefinition(pass, node, place);
  else if (node.type === 'code') pass.changes.push(...codeChanges(pass.source, node, place.parent));
  else if (node.type === 'inlineCode') pass.changes.push(...spanChanges(pass.source, node));
  else walkOther(pass, node, place);
}

function walkOther(pass: Pass, node: Nodes, place: NodeContext): void {
  if (node.type === 'footnoteReference' || node.type === 'footnoteDefinition') walkNote(pass, node);
  if ('children' in node) for (const child of node.children) walk(pass, child, { ...place, parent: node });
}

function walkWords(pass: Pass, node: Text, { parent, isLinked }: NodeContext): void {
  const { source, changes } = pass;
  const lines = linesOfWords(source, node, parent);
  // Whichever parser reads it, such a text is the text of its link.
  const isPlain =
    parent.type === 'link' &&
    parent.children.length === 1 &&
    isPlainWords(node.value) &&
    sourceOf(source, node) === node.value;
  if (isPlain && isPlainEnd(source.slice(endOf(node), endOf(parent)))) return;
  for (const [index, line] of lines.entries()) {
    const shown = shownWords(pass, line, isLinked);
    const text = shielded(node, parent, shown, { isFirst: index === 0, isLast: index === lines.length - 1 });
    if (text !== source.slice(line.start, line.end)) changes.push({ start: line.start, end: line.end, text });
  }
}

/**
 * Changes text only as far as safety requires. If a line contains an escape or an entity, the whole line is written
 * again.
 * @param isLinked within a link, which cannot contain another one
 */
function shownWords({ source, references }: Pass, line: WordLine, isLinked: boolean): string {
  // A shortened address ends with a different kind of character than before.
  const words = withoutAddresses(line.text).replace(/@…(?=[*_~])/gu, `$&${mark}`);
  const parts = isLinked ? [{ text: words, url: null, isAddress: false }] : linkedParts(words, references);
  const disarm = (text: string): string => disarmed(broken(isLinked ? withoutScheme(text, references.webHost) : text));
  const quiet = line.isFirst ? rowless(disarm(words)) : disarm(words);
  const isHarmless =
    words === line.text && quiet === words && parts.every((part) => part.url === null && !part.isAddress);
  if (isHarmless) return source.slice(line.start, line.end);
  if (parts.length === 1 && line.isRaw && parts.every((part) => part.url === null && !part.isAddress)) return quiet;
  if (line.isRaw) return written(parts, (part) => (part.isAddress ? escapedPart(part) : disarm(part.text)));
  return standAlone(line, written(parts, escapedPart));
}

function walkLink(pass: Pass, node: Link | LinkReference): void {
  const { source, references, definitions, changes } = pass;
  const url = node.type === 'link' ? node.url : (definitions.get(node.identifier)?.url ?? '');
  const better = betterThan(url, references);
  const [start, end] = [startOf(node), endOf(node)];
  if (leavesTrace(url, references)) {
    leaveNoTrace(pass, node, url);
    return;
  }
  if (source[start] !== '[') {
    // GitHub looks for nothing within a link, so its text may be copied unchanged.
    const words = (isOfPerson(url) ? escapeProse : escapeMarkup)(withoutAddresses(wordsOf(node)));
    if (better === url && !isOfPerson(url)) {
      if (source[start] !== '<' && !(isPlainAddress(wordsOf(node)) && standsPlain(source, start, end)))
        changes.push({ start, end, text: apart(source, node, ended(node, url), mark) });
      return;
    }
    const isBracketed = source[start] === '<';
    const text = isOfPerson(url)
      ? // Without its end, the scheme of an address behind it would be one.
        apart(source, node, `${mark}${words}${source[end] === ':' ? mark : ''}`, isBracketed ? hiddenSign : mark)
      : apart(source, node, `[${words}${destination(better, null)}`, isBracketed ? '' : mark);
    changes.push({ start, end, text });
    return;
  }
  for (const child of node.children) walk(pass, child, { parent: node, isLinked: true });
  if (isOfPerson(url)) unlink(pass, node);
  else if (better !== url || !isPlain(pass, node)) {
    // Another parser might take its words for the name that belongs to the bracket before them.
    if (source[start - 1] === ']') changes.push({ start, end: start, text: hiddenSign });
    changes.push({ start: wordsEndOf(node), end, text: destination(better, titleOf(pass, node)) });
  }
}

/** Whether every parser agrees with this one on the end of a link and on its URL. */
function isPlain({ source }: Pass, node: Link | LinkReference): boolean {
  if (node.type === 'link') return isPlainEnd(source.slice(wordsEndOf(node), endOf(node)));
  const words = wordsOf(node);
  return isPlainLabel(node.label ?? '') && disarmed(broken(words)) === words;
}

const titleOf = ({ definitions }: Pass, node: Link | LinkReference): string | null | undefined =>
  node.type === 'link' ? node.title : definitions.get(node.identifier)?.title;

const ended = (node: Link | LinkReference, url: string): string =>
  wordsOf(node) === url && !/[<>`|&]/u.test(url)
    ? `<${url}>`
    : `[${escapeMarkup(wordsOf(node))}${destination(url, null)}`;

function leaveNoTrace(pass: Pass, node: Link | LinkReference, url: string): void {
  const { source, changes } = pass;
  const [start, end] = [startOf(node), endOf(node)];
  if (source[start] === '[') {
    for (const child of node.children) walk(pass, child, { parent: node, isLinked: true });
    unlink(pass, node, ` (${asCode(url)})`);
    return;
  }
  const code = apart(source, node, asCode(withoutAddresses(wordsOf(node))), mark);
  // Adjacent signs of code would count as one.
  const [before, after] = [source[start - 1], source[end]].map((sign) => (sign === '`' ? mark : ''));
  changes.push({ start, end, text: `${before}${code}${after}` });
}

const isOfPerson = (url: string): boolean => /^mailto:/iu.test(url);
const wordsEndOf = (node: Link | LinkReference): number =>
  endOf(node.children.at(-1) ?? { ...node, position: undefined }) || startOf(node) + 1;

/** Replaces a link by its text, followed by `instead`. */
function unlink({ source, changes }: Pass, node: Link | LinkReference, instead = ''): void {
  const [start, end] = [startOf(node), endOf(node)];
  const wordsAt = node.children[0] === undefined ? start + 1 : startOf(node.children[0]);
  const before = apartFrom(source[start - 1]);
  changes.push(
    { start, end: wordsAt, text: before },
    { start: wordsEndOf(node), end, text: instead + apartTo(source[end]) },
  );
}

/**
 * Whether a sign is emphasis depends on its neighbours. If brackets are added or removed there, an invisible character
 * preserves its meaning.
 */
function apart(source: string, node: Nodes, words: string, between: string): string {
  const isSign = (at: number): boolean => /[*_~]/u.test(source[at] ?? '');
  return `${isSign(startOf(node) - 1) ? between : ''}${words}${isSign(endOf(node)) ? between : ''}`;
}

/** Trackers show no pictures in their texts, so GitHub must not load any. */
function walkPicture(
  { source, references, definitions, changes }: Pass,
  node: Image | ImageReference,
  { parent, isLinked }: NodeContext,
): void {
  const { url, title } = node.type === 'image' ? node : (definitions.get(node.identifier) ?? { url: '', title: null });
  const isLink = !isLinked && !isOfPerson(url);
  const escaped = node.alt || !isLink ? escapeProse : escapeMarkup;
  const said = withoutAddresses(node.alt || url).replace(/\n/gu, ' ');
  const isTraced = leavesTrace(url, references);
  const words = escaped(isLink && !isTraced ? said : withoutScheme(said, references.webHost));
  const traced = node.alt ? `${words} (${asCode(url)})` : asCode(url);
  const shown = isTraced ? traced : `[${words}${destination(betterThan(url, references), title)}`;
  const link = isLink ? shown : `${apartFrom(source[startOf(node) - 1])}${words}${apartTo(source[endOf(node)])}`;
  changes.push({
    start: startOf(node),
    end: endOf(node),
    text: shielded(node, parent, link, { isFirst: true, isLast: true }),
  });
}

function walkDefinition({ source, references, changes }: Pass, node: DefinitionNode, { parent }: NodeContext): void {
  // What refers to such a page is shown as text, but a bracket beside it may become a new reference.
  const isDead = isOfPerson(node.url) || leavesTrace(node.url, references);
  const better = isDead ? '#' : betterThan(node.url, references);
  const label = node.label ?? node.identifier;
  const end = sourceOf(source, node).replace(/^\[[^\]]*\]:[ \t]*/u, '');
  const siblings: readonly Nodes[] = parent.children;
  // GitHub's own parser takes lines directly above a table for text.
  const isApart =
    siblings[siblings.indexOf(node) + 1]?.type === 'definition' ||
    /^[ \t]*(?:\n[>\s]*(?:\n|$)|$)/u.test(source.slice(endOf(node), endOf(node) + 100));
  if (isApart && better === node.url && isPlainLabel(label) && isPlainEnd(`](${end})`)) return;
  const text = `[${safeLabel(label)}]: ${destination(better, node.title).slice(2, -1)}`;
  changes.push(isApart ? { start: startOf(node), end: endOf(node), text } : inPlaceOf(source, node, [text]));
}

function walkNote({ changes }: Pass, node: FootnoteReference | FootnoteDefinition): void {
  const label = node.label ?? node.identifier;
  if (isPlainLabel(label)) return;
  const start = startOf(node) + '[^'.length;
  changes.push({ start, end: start + label.length, text: safeLabel(label) });
}
