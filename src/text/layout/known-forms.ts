/** Blocks of a known form: diffs and tracebacks of Python. */

const diffHead = /^(?:diff -|Index: |--- \S|\*\*\* \S|@@ -\d)/u;
const diffLine =
  /^(?:[ +\-@\\!]|diff -|index |Index: |=+$|\*{3}|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) |Binary files )/u;

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
  const length = extent(lines, at, (line) => diffLine.test(line));
  return length > hunk ? length : 0;
}

export function traceback(lines: readonly string[], at: number): number {
  if (lines[at] !== 'Traceback (most recent call last):') return 0;
  const frames = extent(lines, at + 1, (line) => /^\s+\S/u.test(line));
  const hasError = /^[\w.]+(?:Error|Exception|Warning|Interrupt|Exit)?(?::|$)/u.test(lines[at + 1 + frames] ?? '');
  return frames === 0 ? 0 : 1 + frames + (hasError ? 1 : 0);
}

/** Number of consecutive matching lines, including empty lines between them. */
function extent(lines: readonly string[], at: number, isOwn: (line: string) => boolean): number {
  let length = 0;
  for (let index = at; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isOwn(line)) length = index + 1 - at;
    else if (line !== '') break;
  }
  return length;
}
