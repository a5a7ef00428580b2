import type { Link, PhrasingContent } from 'mdast';
import { unmarked, withEmoji } from './autolinks.ts';
import { bidiClosed } from './canonical.ts';
import { type Expansion, expanded } from './html.ts';
import type { Definition } from './parse.ts';
import { type IssueReferences, trackerWords, unlinked } from './references.ts';
import { partsOf } from './to-markdown.ts';

export interface Inline extends Expansion {
  readonly issues: IssueReferences;
  /** URLs of links that are defined elsewhere in the text, by name. */
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** Inline Markdown as plain text. */
export const inlineText = (nodes: readonly PhrasingContent[], inline: Inline): string =>
  nodes.map((node) => phrase(node, inline)).join('');

function phrase(node: PhrasingContent, inline: Inline): string {
  switch (node.type) {
    case 'text':
      return words(node.value, inline);
    case 'strong':
      return around('*', inlineText(node.children, inline));
    case 'emphasis':
      return around('_', inlineText(node.children, inline));
    case 'delete':
      return around('~', inlineText(node.children, inline));
    case 'inlineCode':
      return isAddress(node.value) ? node.value : `\`${asItStands(node.value)}\``;
    case 'break':
      return '\n';
    case 'html':
      return expanded(node.value, inline);
    case 'link':
      return isWrittenOut(node)
        ? link(node.url, node.url, inline)
        : link(inlineText(node.children, inline), node.url, inline);
    case 'linkReference':
      return link(inlineText(node.children, inline), inline.definitions.get(node.identifier)?.url ?? '', inline);
    case 'image':
      return picture(node.alt ?? '', node.url);
    case 'imageReference':
      return picture(node.alt ?? '', inline.definitions.get(node.identifier)?.url ?? '');
    case 'footnoteReference':
      return `[${node.label ?? node.identifier}]`;
    default:
      return '';
  }
}

const around = (sign: string, text: string): string => (text === '' ? '' : `${sign}${text}${sign}`);

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/iu.test(text);

/** Text in which the parser found no markup. */
export function words(text: string, { issues }: Pick<Inline, 'issues'>): string {
  const plain = withEmoji(text).replace(/\u00a0/gu, ' ');
  return trackerWords(unmarked(plain), issues);
}

/**
 * Code, or text that cannot be parsed as Markdown: the tracker makes links in it as in any other text. A URL in it
 * stays whole, because the tracker looks for nothing else within one.
 */
export const asItStands = (text: string): string =>
  partsOf(text)
    .map((part) => (part.isAddress ? part.text : unlinked(part.text)))
    .join('');

/** The first line of a quotation that GitHub shows as an alert. */
export const alertLine = /^\[!(note|tip|important|warning|caution)\]$/iu;
export const alertWord = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();

/** A bare URL appears once; other link text is followed by the URL. */
function link(text: string, url: string, { issues }: Inline): string {
  const plain = unmarked(text);
  const bug = issues.page(url);
  if (bug !== null) return plain === url ? bug : plain === bug ? plain : `${bidiClosed(plain)} (${bug})`;
  if (plain === '' || plain === url || `mailto:${plain}` === url || `http://${plain}` === url)
    return plain === '' ? url : plain;
  return url === '' ? plain : `${bidiClosed(plain)} (${url})`;
}

const isWrittenOut = ({ children: [first], url }: Link): boolean =>
  first?.type === 'text' && unmarked(first.value) === unmarked(url);

const picture = (alt: string, url: string): string => [bidiClosed(alt), url].filter((part) => part !== '').join(': ');
