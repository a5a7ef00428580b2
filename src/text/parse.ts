import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Made once, because putting these together costs more than reading a short text with them. */
const markdownOfGithub = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Nodes that are found in a second pass have no place in the source; without it, each has one. */
const placed = {
  extensions: [gfm()],
  mdastExtensions: [gfmFromMarkdown().map(({ transforms: _transforms, ...rest }) => rest)],
};

export const parsed = (markdown: string): Root => fromMarkdown(markdown, markdownOfGithub);

/** The same, with the place of each node in the source; addresses that only GitHub's second look finds are words. */
export const parsedInPlace = (markdown: string): Root => fromMarkdown(markdown, placed);

/** What the parser looks for within paragraphs, by its own names for it. */
const withinParagraphs = [
  ...['attention', 'autolink', 'characterEscape', 'characterReference', 'codeText', 'hardBreakEscape', 'htmlText'],
  ...['labelEnd', 'labelStartImage', 'labelStartLink'],
];

/** Paragraphs, headings, lists, quotations and code, with their words as they stand. Takes less time by far, and never more than by the length. */
export const parsedBlocks = (markdown: string): Root => fromMarkdown(markdown, { extensions: [{ disable: { null: withinParagraphs } }] });

export interface Definition {
  readonly url: string;
  readonly title: string | null;
}

/** Addresses of links that stand elsewhere in the text, by name; the first of a name counts. */
export function definitionsIn(root: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const walk = (node: Nodes): void => {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, { url: node.url, title: node.title ?? null });
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return found;
}
