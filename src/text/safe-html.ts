import type { Html } from 'mdast';
import { withoutAddresses } from './canonical.ts';
import { escapeProse } from './escape.ts';
import { quotedEach } from './imitation/quoted-lines.ts';
import { type Change, endOf, inPlaceOf, type NodeContext, sourceOf, standAlone, startOf } from './in-place.ts';
import { asCode, escapedPart, linkedParts, written } from './linked-parts.ts';
import type { References } from './references.ts';
import { partsOf } from './to-markdown.ts';

/** A line on its own, with its original width. */
function plainLine(line: string, references: References): string {
  const indent = /^[ \t]*/u.exec(line)?.[0].replace(/\t/gu, '        ') ?? '';
  const words = withoutAddresses(line.slice(/^[ \t]*/u.exec(line)?.[0].length ?? 0));
  return `${'&nbsp;'.repeat(indent.length)}${standAlone({ isFirst: true }, written(linkedParts(words, references), escapedPart))}`;
}

/** @param references null within a link, which cannot contain another one: URLs in it appear as code */
function elementWords(line: string, references: References | null): string {
  const words = withoutAddresses(line);
  if (references !== null) return written(linkedParts(words, references), escapedPart);
  return written(
    partsOf(words).map((part) => ({ ...part, url: null })),
    (part) => (part.isAddress ? asCode(part.text) : escapeProse(part.text)),
  );
}

/** HTML elements appear as their characters. */
export function htmlChange(
  source: string,
  references: References,
  node: Html,
  { parent, isLinked }: NodeContext,
): Change {
  if (
    parent.type === 'root' ||
    parent.type === 'blockquote' ||
    parent.type === 'listItem' ||
    parent.type === 'footnoteDefinition'
  ) {
    return inPlaceOf(
      source,
      node,
      quotedEach(node.value.split('\n')).map((line) => plainLine(line, references)),
    );
  }
  const rows = sourceOf(source, node).split('\n');
  const text = rows.map((row, index) => {
    const place = index === 0 ? '' : (/^[ \t>]*/u.exec(row)?.[0] ?? '');
    return (
      place + standAlone({ isFirst: index > 0 }, elementWords(row.slice(place.length), isLinked ? null : references))
    );
  });
  return { start: startOf(node), end: endOf(node), text: text.join('\n') };
}
