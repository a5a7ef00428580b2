import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { isPathological } from './pathological.ts';

type Construct = Extract<NonNullable<ReturnType<typeof gfm>['text']>[string], { readonly tokenize: unknown }>;
type State = Parameters<Construct['tokenize']>[2];

/**
 * micromark begins a new piece of text at each sign, and wherever an address might begin. At last it joins those that
 * lie side by side, and moves all that it found behind them each time: for many, that takes the square of their number.
 * Here each piece is joined to the last as soon as it is read.
 */
const joinedPieces: Construct = {
  name: 'joinedPieces',
  tokenize(effects, ok, nok) {
    const { text } = this.parser.constructs;
    const mayEnd = (code: Parameters<State>[0]): boolean =>
      code === null ||
      [text[code] ?? []].flat().some(({ previous }) => previous === undefined || previous.call(this, this.previous));
    const rest: State = (code) => {
      if (mayEnd(code)) {
        effects.exit('data');
        return ok(code);
      }
      effects.consume(code);
      return rest;
    };
    return (code) => {
      if (code === null || this.events.at(-1)?.[1].type !== 'data') return nok(code);
      effects.enter('data');
      effects.consume(code);
      return rest;
    };
  },
  resolveTo(events) {
    const [last, joined] = [events.at(-3)?.[1], events.at(-1)?.[1]];
    if (last === undefined || joined === undefined) return events;
    last.end = joined.end;
    events.length -= 2;
    return events;
  },
};

/** Created once, because that costs more than parsing a short text. */
const gfmNodes = gfmFromMarkdown();
const extensions = [gfm(), { text: { null: joinedPieces } }];
const placed = {
  extensions,
  mdastExtensions: gfmNodes.map(({ transforms: _transforms, ...rest }) => rest),
};
const secondPass = gfmNodes.flatMap(({ transforms }) => transforms ?? []);

/**
 * The text with the position of each node in the source; URLs that only GitHub's second pass finds are plain text, as
 * nodes that it makes have no position.
 */
export const parsedInPlace = keepingTrees((markdown) => fromMarkdown(markdown, placed));

/**
 * The text as HTML, without the second pass; null if that would take too long.
 * @param allowDangerousHtml whether elements of HTML in it stay; otherwise they are shown as their characters
 */
export const htmlOf = (markdown: string, allowDangerousHtml = false): string | null =>
  isPathological(markdown)
    ? null
    : micromark(markdown, { allowDangerousHtml, extensions, htmlExtensions: [gfmHtml()] });

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
