import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Created once, because that costs more than parsing a short text. */
const gfmNodes = gfmFromMarkdown();
const placed = {
  extensions: [gfm()],
  mdastExtensions: gfmNodes.map(({ transforms: _transforms, ...rest }) => rest),
};
const secondPass = gfmNodes.flatMap(({ transforms }) => transforms ?? []);

/**
 * The text with the position of each node in the source; URLs that only GitHub's second pass finds are plain text, as
 * nodes that it makes have no position.
 */
export const parsedInPlace = keepingTrees((markdown) => fromMarkdown(markdown, placed));

/** With the second pass. Most of the time goes into the first, which the same text needs only once. */
export const parsed = keepingTrees((markdown) =>
  secondPass.reduce((tree: Root, pass) => pass(tree) ?? tree, copyOf(parsedInPlace(markdown))),
);

/** The second pass replaces nodes, and changes none of their values. */
const copyOf = <N extends Nodes>(node: N): N =>
  'children' in node ? { ...node, children: node.children.map(copyOf) } : { ...node };

const treesMax = 30;

/**
 * A text is parsed when it is planned, and again when it is written. So the last trees are kept until memory is short;
 * nobody changes one.
 */
function keepingTrees(parse: (markdown: string) => Root): (markdown: string) => Root {
  const kept = new Map<string, WeakRef<Root>>();
  return (markdown) => {
    const known = kept.get(markdown)?.deref();
    if (known !== undefined) return known;
    const tree = parse(markdown);
    if (kept.size >= treesMax) kept.clear();
    kept.set(markdown, new WeakRef(tree));
    return tree;
  };
}

export interface Definition {
  readonly url: string;
  readonly title: string | null;
}

/** URLs of links that are defined elsewhere in the text, by name; the first definition of a name counts. */
export function definitionsIn(root: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const walk = (node: Nodes): void => {
    if (node.type === 'definition' && !found.has(node.identifier))
      found.set(node.identifier, { url: node.url, title: node.title ?? null });
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return found;
}

/**
 * Whether a text would become far too long if each reference in it were replaced by its URL: one that is defined once
 * may be used in every line.
 */
export function isMultiplied(root: Root, definitions: ReadonlyMap<string, Definition>): boolean {
  let length = 0;
  const walk = (node: Nodes): void => {
    if (node.type === 'linkReference' || node.type === 'imageReference') {
      const { url = '', title } = definitions.get(node.identifier) ?? {};
      length += url.length + (title?.length ?? 0);
    }
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(root);
  return length > multipliedMax;
}

const multipliedMax = 500_000;
