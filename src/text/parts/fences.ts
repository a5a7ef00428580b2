import type { Code, Nodes } from 'mdast';
import { endOf, startOf } from '../in-place.ts';
import { parsedInPlace } from '../parse.ts';
import { isPathological } from '../pathological.ts';
import { fenceMax } from '../to-markdown.ts';

/** A fenced block that is cut between two parts is closed in the first of them, and opened again in the second. */
export interface Fence {
  /** The opening and the closing line. */
  readonly line: string;
  readonly end: string;
}

const fencePattern = /^((?:[> ]|[-*+] |\d{1,9}[.)] )*)(`{3,}|~{3,})([^`~<>]*)$/u;

/** The fence that is open below each line: of plain text, and of what the bridge writes of it. */
export function fencesOfLines(lines: readonly string[]): readonly (Fence | null)[] {
  let open: Fence | null = null;
  return lines.map((line) => {
    const [, place = '', signs, language = ''] = fencePattern.exec(line) ?? [];
    if (signs === undefined) return open;
    if (open === null) open = fenceOf(place, signs, language);
    else if (language === '' && line.startsWith(open.end)) open = null;
    return open;
  });
}

/** The same for Markdown, as the parser finds them: a line that looks like a fence may be words. */
export function fencesOfMarkdown(markdown: string): readonly (Fence | null)[] {
  if (isPathological(markdown)) return fencesOfLines(markdown.split('\n'));
  const open: (Fence | null)[] = markdown.split('\n').map(() => null);
  for (const node of codeIn(parsedInPlace(markdown))) {
    const [first = 1, last = 1] = [node.position?.start.line, node.position?.end.line];
    const lineAt = markdown.lastIndexOf('\n', startOf(node) - 1) + 1;
    const [opening = '', ...rest] = markdown.slice(startOf(node), endOf(node)).split('\n');
    const [, signs, language = ''] = /^(`{3,}|~{3,})([^\n]*)/u.exec(opening) ?? [];
    if (signs === undefined || rest.length === 0) continue;
    open.fill(
      fenceOf(startOf(node) === 0 ? '' : markdown.slice(lineAt, startOf(node)), signs, language),
      first - 1,
      last - 1,
    );
  }
  return open;
}

function* codeIn(node: Nodes): Generator<Code> {
  if (node.type === 'code') yield node;
  if ('children' in node) for (const child of node.children) yield* codeIn(child);
}

/** Null for a fence that is too long to be repeated. */
function fenceOf(before: string, signs: string, language: string): Fence | null {
  // The next part contains no list that an item could continue.
  const place = before.replace(/[^>\s]/gu, ' ');
  const end = `${place}${signs}`;
  if (end.length > fenceMax) return null;
  return { line: end.length + language.length > fenceMax ? end : `${end}${language}`, end };
}
