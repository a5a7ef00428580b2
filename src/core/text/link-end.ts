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
