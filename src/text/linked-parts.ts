import { mark } from './canonical.ts';
import { escapeLinked, escapeMarkup, escapeProse, hiddenSign } from './escape.ts';
import { GrowingText } from './in-place.ts';
import { betterThan, cutAtReferences, leavesTrace, type Part, type References } from './references.ts';
import { destination } from './safe-spans.ts';
import { partsOf } from './to-markdown.ts';

/** The text of a line, cut at URLs and references, and written so that each leads only to its target. */
interface LinkedPart extends Part {
  /** True for the URL of a page that it links to. */
  readonly isAddress: boolean;
}

export function written(parts: readonly LinkedPart[], plain: (part: LinkedPart) => string): string {
  const isSign = (text: string | undefined): boolean => /^[*_~]$/u.test(text ?? '');
  const text = new GrowingText();
  for (const [index, part] of parts.entries()) {
    if (part.url === null) {
      text.join(plain(part));
      continue;
    }
    // Next to a bracket, a plain sign might become emphasis.
    const [before, after] = [parts[index - 1]?.text.at(-1), parts[index + 1]?.text[0]].map((text) =>
      isSign(text) ? mark : '',
    );
    const words = part.isAddress ? escapeMarkup(part.text) : escapeLinked(part.text);
    text.join(`${before ?? ''}[${words}${destination(part.url, null)}${after ?? ''}`);
  }
  return text.toString();
}

/** Invisible characters in a text may have a purpose. */
export function escapedPart({ text, isAddress }: LinkedPart): string {
  if (isCode({ text, isAddress })) return text;
  if (!isAddress) return text.split(mark).map(escapeProse).join(hiddenSign);
  // Signs of code would join those of code beside it.
  return /\||&#?\w+;/u.test(text) ? `[${escapeMarkup(text)}${destination(text, null)}` : `<${text}>`;
}

export function linkedParts(words: string, references: References): readonly LinkedPart[] {
  return partsOf(words).flatMap(({ text, isAddress }): readonly LinkedPart[] => {
    if (!isAddress) return cutAtReferences(text, references).map((part) => ({ ...part, isAddress: false }));
    if (leavesTrace(text, references)) return [{ text: asCode(text), url: null, isAddress: true }];
    const better = betterThan(text, references);
    return [{ text, url: better === text ? null : better, isAddress: true }];
  });
}

export const asCode = (url: string): string => `\`${url.replaceAll('`', '%60')}\``;
export const isCode = ({ text, isAddress }: Pick<LinkedPart, 'text' | 'isAddress'>): boolean =>
  isAddress && text.startsWith('`');
