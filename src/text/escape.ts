import type { Nodes, Parents } from 'mdast';
import { broken, brokenEmoji } from './autolinks.ts';
import { mark } from './canonical.ts';

/**
 * Escapes people's text for Markdown so that exactly its characters are shown: markup of Markdown itself gets a
 * backslash. What GitHub looks for later, when the backslash is gone, is in `autolinks.ts`.
 */

/** A piece of a line, without URLs. The start of a line has its own dangers: see `escapeLineStart`. */
export const escapeProse = (text: string): string => escapeMarkup(broken(text));

/** The words of a link: GitHub looks for less in them. */
export const escapeLinked = (text: string): string => escapeMarkup(brokenEmoji(text));

/**
 * The start of an element, a comment or an instruction. It is spelled as an entity instead of getting a backslash, so
 * that no parser can take anything for one: behind a URL, for instance, GitHub's own parser counts the backslash as
 * part of the URL.
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

/**
 * A line that one parser found to be plain text, changed so that no other parser finds an element, picture, link or
 * code in it. Only GitHub renders mathematics, and draws a box around a quotation that begins with `[!NOTE]`.
 */
export const disarmed = (line: string): string =>
  line.replace(elementStart, '&lt;').replace(/[`$]|(?<=!)\[|\[(?=!\w+\])|\](?=[([:])/gu, '\\$&');

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

/**
 * Keeps new links from changing the text around them. After an exclamation mark a link would be a picture; next to a
 * sign of emphasis its brackets would turn that into an ordinary sign, so a zero-width character separates them.
 */
export function shielded(node: Nodes, parent: Parents, text: string, { isFirst, isLast }: Ends): string {
  const siblings: readonly Nodes[] = parent.children;
  const next = siblings[siblings.indexOf(node) + 1];
  const isWords = node.type === 'text';
  const before = isFirst && isEmphasis(parent) && siblings[0] === node && text.startsWith('[') ? mark : '';
  const after =
    isLast && isEmphasis(parent) && next === undefined && text.endsWith(')') && text.includes('](') ? mark : '';
  const isBeforeLink = isWords && isLast && next !== undefined && linking.has(next.type);
  return before + (isBeforeLink ? withoutPicture(text) : text) + after;
}

/** Text before a link; if it ended with an exclamation mark that nothing escapes, the link would be a picture. */
export function withoutPicture(before: string): string {
  if (!before.endsWith('!')) return before;
  let first = before.length - 1;
  while (before[first - 1] === '\\') first -= 1;
  const isEscaped = (before.length - 1 - first) % 2 === 1;
  return isEscaped ? before : `${before.slice(0, -1)}\\!`;
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
export const apartTo = (after: string | undefined): string => (/[\w:;*~@-]/u.test(after ?? '') ? hiddenSign : '');
