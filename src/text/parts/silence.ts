import type { Nodes } from 'mdast';
import { broken } from '../autolinks.ts';
import { type Definition, definitionsIn, parsed } from '../parse.ts';
import { isPathological } from '../pathological.ts';
import { betterThan, leavesTrace, type References } from '../references.ts';

/**
 * Whether the parser finds nothing alive in Markdown of ours: no element, no picture, no link that leaves a trace, and
 * no words in which GitHub finds something; and whether text below it would stand on its own. Markdown is written to be
 * so as a whole. A part of it is not if something ends there that kept words from being read as such.
 */
export function isSilent(markdown: string, references: References): boolean {
  if (isPathological(markdown)) return false;
  const root = parsed(`${markdown}\n\n${below}`);
  const last = root.children.at(-1);
  if (last?.type !== 'html' || last.value !== below) return false;
  const reading: Reading = { references, definitions: definitionsIn(root) };
  return root.children.slice(0, -1).every((node) => isQuiet(node, reading));
}

const below = '<!-- below -->';

interface Reading {
  readonly references: References;
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** GitHub looks for nothing in the words of links. */
function isQuiet(node: Nodes, reading: Reading, isLinked = false): boolean {
  const { references, definitions } = reading;
  if (node.type === 'html' || node.type === 'image' || node.type === 'imageReference') return false;
  if (node.type === 'text') return isLinked || broken(node.value) === node.value;
  const url = node.type === 'linkReference' ? definitions.get(node.identifier)?.url : undefined;
  const target = node.type === 'link' ? node.url : url;
  if (target !== undefined && !isQuietUrl(target, references)) return false;
  return !('children' in node) || node.children.every((child) => isQuiet(child, reading, target !== undefined));
}

const isQuietUrl = (url: string, references: References): boolean =>
  !/^mailto:/iu.test(url) && betterThan(url, references) === url && !leavesTrace(url, references);
