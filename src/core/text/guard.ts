import type { Nodes, Parents } from 'mdast';
import { mark } from './escape.ts';

/**
 * Keeps new links from changing what stands around them. Behind an exclamation mark a link would be a picture; next to a sign of
 * emphasis its brackets would make that a sign like any other, so a character without width comes between.
 */
export function guarded(node: Nodes, parent: Parents, text: string, { isFirst, isLast }: Ends): string {
  const siblings: readonly Nodes[] = parent.children;
  const next = siblings[siblings.indexOf(node) + 1];
  const isWords = node.type === 'text';
  const before = isFirst && isEmphasis(parent) && siblings[0] === node && text.startsWith('[') ? mark : '';
  const after = isLast && isEmphasis(parent) && next === undefined && text.endsWith(')') && text.includes('](') ? mark : '';
  const isBeforeLink = isWords && isLast && next !== undefined && linking.has(next.type);
  return before + (isBeforeLink ? text.replace(/(?<!\\)!$/u, '\\!') : text) + after;
}

interface Ends {
  /** Whether it is the first, or the last line of its node. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const isEmphasis = ({ type }: Parents): boolean => type === 'emphasis' || type === 'strong' || type === 'delete';
const linking = new Set(['link', 'linkReference', 'image', 'imageReference', 'footnoteReference']);

/** An address that was only written ends where it does by what stands behind it, and that may change. */
export function isOpenEnded(node: Nodes, { children }: Parents): boolean {
  const siblings: readonly Nodes[] = children;
  const next = siblings[siblings.indexOf(node) + 1];
  return next !== undefined && (next.type !== 'text' || /^[^\s.,;!?)'"]/u.test(next.value));
}

/** Read as a sign by parsers, and shown as a character without width. */
export const hiddenSign = '&#8203;';

/** Without their brackets, words might become part of a mention, of a number or of a commit. */
export const apartFrom = (before: string | undefined): string => (/[\w@#:;&*~-]/u.test(before ?? '') ? hiddenSign : '');
