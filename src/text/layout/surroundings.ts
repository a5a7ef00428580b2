import { isProse, startsSentence } from './sentences.ts';

/** What a line is to the lines around it. */

/** Quotations, fences, headings of Markdown, and points of a word processor. */
export const foreign = /^(?:>|`{3,}|~{3,}|\s*[·•▪◦]\s|## \p{Lu}\w*(?: \w+){0,2}$|#{3,6} \p{Lu}\w*(?: \w+){0,5}:?$)/u;

export const listItem = /^(?:[-*]|\d{1,9}[.)]) \S/u;

/** What a program calls its words: `At conditional (5): "lamp" taking true path`. */
export const labelled = /^\S+(?: \S+){0,3}: ["[(]|^\S+ [^\W_]*[_(]\S*: /u;

/** Whether much of a line is not words: paths, numbers, signs. */
export function isTechnical(line: string): boolean {
  // People write a line with a colon above what they paste, and versions without any sign.
  if (
    /^[\p{L}\p{N}\s.,;'"!?-]*$|:$/u.test(line) ||
    isProse(line) ||
    foreign.test(line) ||
    listItem.test(line) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(line)
  )
    return false;
  const tokens = line.trim().split(/\s+/u);
  return (
    tokens.filter((token) => !/^["'(]?\p{L}(?:[\p{L}'’-]*[\p{L}’-])?[.,;:!?)"']*$/u.test(token)).length >=
      tokens.length * 0.25 && tokens.length > 1
  );
}

/** The message of a commit: indented, below the date of it. */
export function isOfCommit(lines: readonly string[], at: number): boolean {
  if (!/^ {4}\S/u.test(lines[at] ?? '')) return false;
  const above = lines.slice(Math.max(0, at - 50), at).findLast((line) => line !== '' && !line.startsWith('    '));
  return /^(?:Author)?Date: /u.test(above ?? '');
}

const remark = /^\s*#(?: \S|$)/u;
const remarksMax = 20;

/** The first line below remarks in code; the same line if there are none. */
export function belowRemarks(lines: readonly string[], at: number): number {
  let next = at;
  while (next - at < remarksMax && remark.test(lines[next] ?? '')) next += 1;
  return next;
}

/** A few words above lines that are slightly indented, such as the name of a part in a report about a system. */
export const isHead = (lines: readonly string[], at: number): boolean =>
  /^\p{L}[\w®.()-]*(?: [\w®.()-]+){0,4}(?<!\.)$/u.test(lines[at] ?? '') &&
  /^ {1,3}\S/u.test(lines[at + 1] ?? '') &&
  !isProse(lines[at] ?? '') &&
  !startsSentence.test(lines[at] ?? '');
