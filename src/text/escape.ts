import type { Nodes, Parents } from 'mdast';

/**
 * Escapes people's text for Markdown so that exactly its characters are shown. There are two dangers, with two remedies: markup of
 * Markdown itself gets a backslash; the patterns that GitHub looks for later in the rendered text (mentions, issue numbers,
 * commits, emoji) are broken by a zero-width character, because the backslash is gone by then. `unbroken` removes that character
 * again.
 */
export const mark = '\u200b';

/** A piece of a line, without URLs. The start of a line has its own dangers: see `escapeLineStart`. */
export const escapeProse = (text: string): string => escapeMarkup(broken(text));

/**
 * The start of an element, a comment or an instruction. It is spelled as an entity instead of getting a backslash, so that no
 * parser can take anything for one: behind a URL, for instance, GitHub's own parser counts the backslash as part of the URL.
 */
const elementStart = /<(?=[a-z/!?]|$)/giu;

/** Text in which only Markdown itself could find markup. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/gu, '\\\\')
    .replace(/&(?=#?\w+;)/gu, '&amp;')
    .replace(elementStart, '&lt;')
    .replace(/[`*[\]<|$~]/gu, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}

/** Breaks the patterns that GitHub would find in the rendered text of a paragraph. */
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
 * A line that one parser found to be plain text, changed so that no other parser finds an element, picture, link or code in it.
 * Only GitHub renders mathematics.
 */
export const disarmed = (line: string): string => line.replace(elementStart, '&lt;').replace(/[`$]|(?<=!)\[|\](?=[([:])/gu, '\\$&');

/** The same for a line that might follow the head of a table. */
export const rowless = (line: string): string => line.replace(/^(?=[|:-][|: \t-]*$)/u, '\\');

/** Escapes a line that looks like a heading, a list, a quotation or an underline, and is none. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(?:\s|$|\u200b))/u, '\\')
    .replace(/^(?=>)/u, '\\')
    .replace(/^(?=[+-](?:\s|$))/u, '\\')
    .replace(/^(?=(?:-\s*){2,}$|=+\s*$|:?-+:?\s*$)/u, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/u, '$1\\');
}

export const unmarked = (text: string): string => text.replaceAll(mark, '');

/** Removes the characters that `broken` inserted, and those next to a shortened e-mail address. Others belong to their author. */
export function unbroken(text: string): string {
  return text
    .replace(/(?<=[@#:…]|\bGH-|www|<!--)\u200b/giu, '')
    .replace(/\u200b(?=[^\s\u200b]+@…)/gu, '')
    .replace(/(?<=[0-9a-f]{6})\u200b(?=[0-9a-f])/giu, '');
}

/**
 * Keeps new links from changing the text around them. After an exclamation mark a link would be a picture; next to a sign of
 * emphasis its brackets would turn that into an ordinary sign, so a zero-width character separates them.
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
  /** Whether it is the first or the last line of its node. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const isEmphasis = ({ type }: Parents): boolean => type === 'emphasis' || type === 'strong' || type === 'delete';
const linking = new Set(['link', 'linkReference', 'image', 'imageReference', 'footnoteReference']);

/** A bare URL: its end depends on the text after it, which may change. */
export function isOpenEnded(node: Nodes, { children }: Parents): boolean {
  const siblings: readonly Nodes[] = children;
  const next = siblings[siblings.indexOf(node) + 1];
  return next !== undefined && (next.type !== 'text' || /^[^\s.,;!?)'"]/u.test(next.value));
}

/** Parsers read it as a sign; it renders as a zero-width character. */
export const hiddenSign = '&#8203;';

/** Without its brackets, text might become part of a mention, an issue number or a commit. */
export const apartFrom = (before: string | undefined): string => (/[\w@#:;&*~-]/u.test(before ?? '') ? hiddenSign : '');
