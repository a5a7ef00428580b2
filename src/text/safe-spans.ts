import type { Code, InlineCode, Parents } from 'mdast';
import { mark } from './escape.ts';
import { type Change, inPlaceOf, sourceOf, startOf } from './in-place.ts';
import { fenced } from './to-markdown.ts';

/**
 * Code crosses as it stands, and nothing in it is made safe; so every parser has to agree that it is code, and so has the cutting of long
 * texts. What is not written so that nobody can doubt it (lines that are code by their indentation, fences within lists and quotations,
 * a fence that ends otherwise than it begins) gets fences of the bridge's own.
 */
export function codeChanges(source: string, node: Code, parent: Parents): readonly Change[] {
  const language = /^[\w+#.-]*$/u.test(node.lang ?? '') ? (node.lang ?? '') : '';
  const isDrawn = drawn.test(language);
  const isIndented = startOf(node) > 0 && source[startOf(node) - 1] !== '\n';
  if (parent.type !== 'root' || isIndented || !isPlainFence(sourceOf(source, node))) {
    return [inPlaceOf(source, node, fenced(node.value.split('\n'), `${isDrawn ? mark : ''}${language}`))];
  }
  if (!isDrawn) return [];
  const at = startOf(node) + (/^(?:`+|~+)\s*/u.exec(sourceOf(source, node))?.[0].length ?? 0);
  return [{ start: at, end: at, text: mark }];
}

/** Languages that GitHub does not show as code but draws. */
const drawn = /^(?:mermaid|math|geojson|topojson|stl|suggestion)$/iu;

function isPlainFence(fence: string): boolean {
  const lines = fence.split('\n');
  const sign = /^(`{3,}|~{3,})[^`~<>]*$/u.exec(lines[0] ?? '')?.[1];
  return sign !== undefined && lines.length > 1 && lines.at(-1) === sign;
}

/** Code within a line; where a line breaks in it, every reader sees a space. */
export function spanChanges(source: string, node: InlineCode): readonly Change[] {
  const slice = sourceOf(source, node);
  if (!slice.includes('\n')) return [];
  const start = startOf(node);
  return [{ start, end: start + slice.length, text: codeSpan(node.value.replace(/\s*\n\s*/gu, ' ')) }];
}

export function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const sign = '`'.repeat(longest + 1);
  const isTight = !/^`|`$|^ .* $/u.test(text);
  return isTight ? `${sign}${text}${sign}` : `${sign} ${text} ${sign}`;
}

/**
 * Where links end, and what they lead to: written so that all parsers find the same, and that nothing comes alive where one finds no link.
 */

/**
 * The end of a link as Markdown, behind its words. Whoever reads it as something else finds neither code nor elements in it: an address has
 * signs of Markdown by their codes, as browsers write them anyway, and a title by their entities.
 */
export function destination(url: string, title: string | null | undefined): string {
  const address = url
    .replace(/[\s<>`\\|]/gu, encodeURIComponent)
    .replace(/[()]/gu, '\\$&')
    .replace(/&(?=#?\w+;)/gu, '&amp;');
  return `](${address === '' ? '<>' : address}${title ? ` "${escapedTitle(title)}"` : ''})`;
}

/** An end of a link that every parser reads alike, as people write most of them. */
export const isPlainEnd = (end: string): boolean =>
  /^\]\((?:[^\s<>()`\\|&]|&(?!#?\w+;)|\([^\s<>()`\\|&]*\))+(?: "[\p{L}\p{N} .,:;!?'/=+-]*")?\)$/u.test(end);

const escapedTitle = (title: string): string => title.replace(/[^\p{L}\p{N} .,:;!?()'/=+-]/gu, (sign) => `&#${sign.codePointAt(0)};`);

export const isPlainLabel = (label: string): boolean => /^[\p{L}\p{N} .,:;/+-]*$/u.test(label);

/** One in which parsers find no other. */
export const isPlainAddress = (words: string): boolean =>
  /^(?:https?:\/\/|www\.)(?!.*(?::\/\/|www\.))[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?#][^<>`|\\]*)?$/iu.test(words);

/** Parsers differ on where an address begins and ends that was only written; between white space they do not. */
export const standsPlain = (source: string, start: number, end: number): boolean =>
  /^(?:|[\s(])$/u.test(source.slice(Math.max(0, start - 1), start)) && /^[.,:;!?)'"]*(?:[ \t\n]|$)/u.test(source.slice(end, end + 20));

/** Names that no reader sees. */
export const safeLabel = (label: string): string =>
  label.replace(/[<`|&\\[\]@#\s]/gu, (sign) => (/\s/u.test(sign) ? ' ' : `&#${sign.codePointAt(0)};`));
