import type { Code, InlineCode, Parents } from 'mdast';
import { broken, undrawn } from './autolinks.ts';
import { mark } from './canonical.ts';
import { type Change, inPlaceOf, sourceOf, startOf } from './in-place.ts';
import { fenced } from './to-markdown.ts';

/**
 * Code crosses unchanged, and nothing in it is escaped; so every parser must agree that it is code, and so must the
 * code that splits long texts. Code in an ambiguous form (indented lines, fences within lists and quotations, a fence
 * that ends differently from its beginning) gets our own fences.
 */
export function codeChanges(source: string, node: Code, parent: Parents): readonly Change[] {
  const written = /^[\w+#.-]*$/u.test(node.lang ?? '') ? (node.lang ?? '') : '';
  const language = undrawn(written);
  const isIndented = startOf(node) > 0 && source[startOf(node) - 1] !== '\n';
  if (parent.type !== 'root' || isIndented || !isPlainFence(sourceOf(source, node))) {
    return [inPlaceOf(source, node, fenced(node.value.split('\n'), language))];
  }
  if (language === written) return [];
  const at = startOf(node) + (/^(?:`+|~+)\s*/u.exec(sourceOf(source, node))?.[0].length ?? 0);
  return [{ start: at, end: at, text: mark }];
}

function isPlainFence(fence: string): boolean {
  const lines = fence.split('\n');
  const sign = /^(`{3,}|~{3,})[^`~<>]*$/u.exec(lines[0] ?? '')?.[1];
  return sign !== undefined && lines.length > 1 && lines.at(-1) === sign;
}

/**
 * Inline code; readers see a line break in it as a space. Beside the code of a colour GitHub shows that colour, but not
 * if a space precedes the code.
 */
export function spanChanges(source: string, node: InlineCode): readonly Change[] {
  const slice = sourceOf(source, node);
  const code = node.value.replace(/(?<!\s)\s*\n\s*/gu, ' ');
  if (!slice.includes('\n') && !isColour(code)) return [];
  const start = startOf(node);
  return [{ start, end: start + slice.length, text: codeSpan(isColour(code) ? ` ${code}` : code) }];
}

const isColour = (code: string): boolean => /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([^()]*\))$/iu.test(code);

/** The code of a colour on its way back. */
export const isUncoloured = (code: string): boolean => code.startsWith(' ') && isColour(code.slice(1));

export function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const sign = '`'.repeat(longest + 1);
  const isTight = !/^`|`$|^ .* $/u.test(text);
  return isTight ? `${sign}${text}${sign}` : `${sign} ${text} ${sign}`;
}

/**
 * The ends of links and their targets: written so that all parsers find the same, and so that nothing becomes active if
 * one finds no link.
 */

/**
 * The Markdown after the text of a link. A parser that reads it as something else finds neither code nor elements in
 * it: URLs contain Markdown signs as percent codes, as browsers write them anyway, and titles contain them as entities.
 */
export function destination(url: string, title: string | null | undefined): string {
  const address = url
    .replace(/[\s<>`\\|]/gu, encodeURIComponent)
    .replace(/[()]/gu, '\\$&')
    .replace(/&(?=#?\w+;)/gu, '&amp;');
  return `](${address === '' ? '<>' : address}${title ? ` "${escapedTitle(title)}"` : ''})`;
}

/** The end of a link that every parser reads alike, as people write most of them. */
export const isPlainEnd = (end: string): boolean =>
  /^\]\((?:[^\s<>()`\\|&]|&(?!#?\w+;)|\([^\s<>()`\\|&]*\))+(?: "[\p{L}\p{N} .,:;!?'/=+-]*")?\)$/u.test(end);

const escapedTitle = (title: string): string =>
  title.replace(/[^\p{L}\p{N} .,:;!?()'/=+-]/gu, (sign) => `&#${sign.codePointAt(0)};`);

export const isPlainLabel = (label: string): boolean => /^[\p{L}\p{N} .,:;/+-]*$/u.test(label);

/** Words of a link in which there is nothing to be found, but what GitHub does not look for within links. */
export const isPlainWords = (words: string): boolean =>
  /^[\p{L}\p{N}#][\p{L}\p{N} .,#'+-]*$/u.test(words) && !/\bwww\.|^\d+\./iu.test(words);

/**
 * A URL in which parsers find no other, and nothing alive if they take it for words, as they do behind an open bracket.
 */
export const isPlainAddress = (words: string): boolean =>
  /^(?:https?:\/\/|www\.)(?!.*(?::\/\/|www\.))[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#][^<>`|\\]*)?$/iu.test(words) &&
  broken(words) === words;

/** Parsers disagree on where a bare URL begins and ends, except between white space. */
export const standsPlain = (source: string, start: number, end: number): boolean =>
  /^(?:|[\s(])$/u.test(source.slice(Math.max(0, start - 1), start)) &&
  /^[.,:;!?)'"]*(?:[ \t\n]|$)/u.test(source.slice(end, end + 20));

/** Names that no reader sees. */
export const safeLabel = (label: string): string =>
  label.replace(/[<`|&\\[\]@#\s]/gu, (sign) => (/\s/u.test(sign) ? ' ' : `&#${sign.codePointAt(0)};`));
