import type { Nodes, Parents } from 'mdast';

/**
 * Words of people as Markdown that shows exactly them. Two dangers are met by two means: what Markdown itself would take for
 * markup gets a backslash, and what GitHub looks for afterwards in the finished text (mentions, numbers of issues, commits, emoji)
 * is broken by a character without width, because a backslash is gone by then. `unmarked` takes that character out again.
 */
export const mark = '\u200b';

/** A piece of a line, without addresses of pages. The start of a line has dangers of its own: see `escapeLineStart`. */
export const escapeProse = (text: string): string => escapeMarkup(broken(text));

/**
 * What an element, a comment or an instruction begins with. It gets another spelling and no backslash, so that nothing is left that any
 * parser could take for one: behind an address, for one, GitHub's own parser counts the backslash to the address.
 */
const elementStart = /<(?=[a-z/!?]|$)/giu;

/** Words of which only Markdown itself could take something for markup. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/gu, '\\\\')
    .replace(/&(?=#?\w+;)/gu, '&amp;')
    .replace(elementStart, '&lt;')
    .replace(/[`*[\]<|$~]/gu, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}

/** What GitHub would find in the finished text of a paragraph. */
export function broken(text: string): string {
  return text
    .replace(/@(?=[\p{L}\p{N}_-])/gu, `@${mark}`)
    .replace(/#(?=\d)/gu, `#${mark}`)
    .replace(/\bGH-(?=\d)/giu, `$&${mark}`)
    .replace(/:(?=(?!\d\d:)[\w+-]+:)/gu, `:${mark}`)
    .replace(/www(?=\.)/giu, `$&${mark}`)
    .replace(/\b(?=[0-9a-f]*\d|[a-f]{7,40}\b)[0-9a-f]{7,40}\b/giu, (hash) => hash.replace(/.{6}(?=.)/gu, `$&${mark}`));
}

/**
 * A line of words that one parser found to be no markup, so that no other finds any: no element, picture, link or code. Mathematics is drawn
 * by GitHub alone.
 */
export const disarmed = (line: string): string => line.replace(elementStart, '&lt;').replace(/[`$]|(?<=!)\[|\](?=[([:])/gu, '\\$&');

/** The same, of a line that might stand under the head of a table. */
export const rowless = (line: string): string => line.replace(/^(?=[|:-][|: \t-]*$)/u, '\\');

/** A line that begins like a heading, a list, a quotation or a line under a heading, and is none. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(?:\s|$|\u200b))/u, '\\')
    .replace(/^(?=>)/u, '\\')
    .replace(/^(?=[+-](?:\s|$))/u, '\\')
    .replace(/^(?=(?:-\s*){2,}$|=+\s*$|:?-+:?\s*$)/u, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/u, '$1\\');
}

export const unmarked = (text: string): string => text.replaceAll(mark, '');

/** Takes the characters out again that `broken` put in, and those beside what is left of an address. Others are their author's. */
export function unbroken(text: string): string {
  return text
    .replace(/(?<=[@#:…]|\bGH-|www|<!--)\u200b/giu, '')
    .replace(/\u200b(?=[^\s\u200b]+@…)/gu, '')
    .replace(/(?<=[0-9a-f]{6})\u200b(?=[0-9a-f])/giu, '');
}

/**
 * Keeps new links from changing what stands around them. Behind an exclamation mark a link would be a picture; next to a sign of
 * emphasis its brackets would make that a sign like any other, so a character without width comes between.
 */
export function shielded(node: Nodes, parent: Parents, text: string, { isFirst, isLast }: Ends): string {
  const siblings: readonly Nodes[] = parent.children;
  const next = siblings[siblings.indexOf(node) + 1];
  const isWords = node.type === 'text';
  const before = isFirst && isEmphasis(parent) && siblings[0] === node && text.startsWith('[') ? mark : '';
  const after = isLast && isEmphasis(parent) && next === undefined && text.endsWith(')') && text.includes('](') ? mark : '';
  const isBeforeLink = isWords && isLast && next !== undefined && linking.has(next.type);
  return before + (isBeforeLink ? text.replace(/(?<!\\)!$/u, '\\!') : text) + after;
}

interface Ends {
  /** Whether it is the first, or the last line of its node. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const isEmphasis = ({ type }: Parents): boolean => type === 'emphasis' || type === 'strong' || type === 'delete';
const linking = new Set(['link', 'linkReference', 'image', 'imageReference', 'footnoteReference']);

/** An address that was only written ends where it does by what stands behind it, and that may change. */
export function isOpenEnded(node: Nodes, { children }: Parents): boolean {
  const siblings: readonly Nodes[] = children;
  const next = siblings[siblings.indexOf(node) + 1];
  return next !== undefined && (next.type !== 'text' || /^[^\s.,;!?)'"]/u.test(next.value));
}

/** Read as a sign by parsers, and shown as a character without width. */
export const hiddenSign = '&#8203;';

/** Without their brackets, words might become part of a mention, of a number or of a commit. */
export const apartFrom = (before: string | undefined): string => (/[\w@#:;&*~-]/u.test(before ?? '') ? hiddenSign : '');
