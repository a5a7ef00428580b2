import { isProse } from './sentences.ts';

/** Blocks of a known form: diffs and tracebacks of Python. */

const diffHead = /^(?:diff -|Index: |\? \S+$|--- \S|\*\*\* \S|@@ -\d)/u;
const diffLine =
  /^(?:[ +\-@\\!]|diff -|index |Index: |RCS file: |retrieving revision |\? \S+$|=+$|\*{3}|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) |Binary files )/u;

/** Maximum length of a header. Without a limit, many headers without a hunk would take quadratic time. */
const headMax = 50;

/**
 * From its header or its first hunk, as long as lines belong to a diff; an empty line counts if the diff continues
 * after it.
 */
export function diff(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  if (!diffHead.test(first)) return 0;
  const hunk = lines.slice(at, at + headMax).findIndex((line) => /^@@ -\d+(?:,\d+)? \+\d+|^\*{15}$/u.test(line));
  if (hunk < 0) return 0;
  const length = extent(lines, at, (line, index) => diffLine.test(line) || isWrapped(lines, index));
  return length > hunk ? length : 0;
}

/** The rest of a changed line that a mail program broke. */
function isWrapped(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = lines.slice(at - 1, at + 2);
  const isLong = (before.length >= 50 && /^[+-]/u.test(before)) || before.startsWith('diff -');
  return isLong && !isProse(line) && /^(?:[ +-]|@@)/u.test(after);
}

const editHead = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/u;

/** What diff writes without any option. */
export function plainDiff(lines: readonly string[], at: number): number {
  if (!editHead.test(lines[at] ?? '') || !/^[<>](?: |$)/u.test(lines[at + 1] ?? '')) return 0;
  return extent(lines, at, (line) => editHead.test(line) || /^[<>](?: |$)|^---$|^\\ No newline/u.test(line));
}

export function traceback(lines: readonly string[], at: number): number {
  if (lines[at] !== 'Traceback (most recent call last):') return 0;
  const frames = extent(lines, at + 1, (line) => /^\s+\S/u.test(line));
  const hasError = /^[\w.]+(?:Error|Exception|Warning|Interrupt|Exit)?(?::|$)/u.test(lines[at + 1 + frames] ?? '');
  return frames === 0 ? 0 : 1 + frames + (hasError ? 1 : 0);
}

/** Number of consecutive matching lines, including empty lines between them. */
function extent(lines: readonly string[], at: number, isOwn: (line: string, at: number) => boolean): number {
  let length = 0;
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isOwn(line, index)) length = index + 1 - at;
    else if (line !== '') break;
  }
  return length;
}
