/**
 * Runs of lines whose layout carries meaning, and which are therefore shown as code. Each rule is one pattern of lines that people
 * paste into trackers; all other lines are prose. A rule reads the lines from `at` on and returns how many of them match.
 */
interface Rule {
  readonly name: string;
  /** The language of the code block, for colours, if it is certain. */
  readonly language: string;
  readonly length: (lines: readonly string[], at: number) => number;
}

export interface Layout {
  readonly language: string;
  readonly length: number;
}

/** The layout that begins at this line; null for prose. */
export function layoutAt(lines: readonly string[], at: number): Layout | null {
  for (const { language, length } of rules) {
    const found = length(lines, at);
    if (found > 0) return { language, length: found };
  }
  return null;
}

const rules: readonly Rule[] = [
  { name: 'a diff', language: 'diff', length: diff },
  { name: 'a traceback of Python', language: 'python', length: traceback },
  {
    name: 'frames of Java or JavaScript',
    language: '',
    length: run(2, /^\s*at \S(?:[^(]*\(.*\)|.*:\d+)$/u, /^\s*(?:Caused by: |\.\.\. \d+ more)/u),
  },
  {
    name: 'frames of a debugger',
    language: '',
    length: run(
      2,
      /^#\d+\s+(?:0x[0-9a-f]+\s+in\s|\S+ \(|<signal handler called>$)/u,
      /^\s{2,}\S|^No (?:locals|symbol table info available)\.$/u,
    ),
  },
  { name: 'lines of a log', language: '', length: run(2, /^\[?(?:\d{4}-\d\d-\d\d[T ]|(?:[A-Z][a-z]{2} +\d{1,2} )?)\d\d:\d\d:\d\d\b/u) },
  { name: 'a table drawn with bars', language: '', length: run(2, /^\s*[|+].*[|+]\s*$/u) },
  { name: 'a table drawn with spaces', language: '', length: run(2, /\S(?: {3,}|\t+)\S/u, /^\s*[-=]{2,}(?: +[-=]{2,})+$/u) },
  { name: 'indented lines', language: '', length: indented },
];

/** At least `least` consecutive lines that match; lines of the second kind may follow the first. */
function run(least: number, line: RegExp, follower: RegExp | null = null): Rule['length'] {
  return (lines, at) => {
    let own = 0;
    let length = 0;
    for (let text = lines[at]; text !== undefined; text = lines[at + length]) {
      const isOwn = line.test(text);
      if (!isOwn && (length === 0 || follower?.test(text) !== true)) break;
      own += isOwn ? 1 : 0;
      length += 1;
    }
    return own >= least ? length : 0;
  };
}

const diffHead = /^(?:diff -|Index: |--- \S|@@ -\d)/u;
const diffLine =
  /^(?:[ +\-@\\]|diff -|index |Index: |=+$|(?:new|deleted|old) (?:file )?mode |similarity index |rename (?:from|to) |Binary files )/u;

/** Maximum length of a header. Without a limit, many headers without a hunk would take quadratic time. */
const headMax = 50;

/** From its header or its first hunk, as long as lines belong to a diff; an empty line counts if the diff continues after it. */
function diff(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  if (!diffHead.test(first)) return 0;
  const hunk = lines.slice(at, at + headMax).findIndex((line) => /^@@ -\d+(?:,\d+)? \+\d+/u.test(line));
  if (hunk < 0) return 0;
  const length = extent(lines, at, (line) => diffLine.test(line));
  return length > hunk ? length : 0;
}

function traceback(lines: readonly string[], at: number): number {
  if (lines[at] !== 'Traceback (most recent call last):') return 0;
  const frames = extent(lines, at + 1, (line) => /^\s+\S/u.test(line));
  const hasError = /^[\w.]+(?:Error|Exception|Warning|Interrupt|Exit)?(?::|$)/u.test(lines[at + 1 + frames] ?? '');
  return frames === 0 ? 0 : 1 + frames + (hasError ? 1 : 0);
}

function indented(lines: readonly string[], at: number): number {
  const isIn = (line: string): boolean => /^(?: {4,}| *\t)\s*\S/u.test(line);
  return isIn(lines[at] ?? '') ? extent(lines, at, isIn) : 0;
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
