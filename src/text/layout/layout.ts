import { diff, plainDiff, traceback } from './known-forms.ts';
import type { Strength } from './line-features.ts';
import { isCodeIndented, strengthIn } from './line-strength.ts';
import { isProse, isWordy, startsSentence } from './sentences.ts';
import { spanAt } from './spans.ts';

/**
 * Runs of lines whose layout carries meaning, and which are therefore shown as code: logs, traces, sessions, code and
 * tables. A wrong block costs more than a missing one: lines that read like sentences stay prose.
 */
export interface Layout {
  /** The language of the code block, for colours, if it is certain. */
  readonly language: string;
  readonly length: number;
}

/** Whether a program wrote the quotation sign at the start of this line. */
export const isOfProgram = (line: string): boolean =>
  /^>>> (?:import |from |print\b|\w[\w.]*\(|\w+ = )|^>>> [A-Z]{4} |^>>> [EF]|^> (?:GET|POST|PUT|HEAD|DELETE) |^> (?:Task :|Could not |Run with --)|^> {6,}\S|^>\d{6,}[<>]/u.test(
    line,
  );

/** The layout that begins at this line; null for prose. */
export const layoutAt = (lines: readonly string[], at: number): Layout | null => layoutsIn(lines)(at);

/** The layouts of a text; call the function for its lines in order. */
export function layoutsIn(whole: readonly string[]): (at: number) => Layout | null {
  if (whole.length > linesMax) return (at) => (at === 0 ? { language: '', length: whole.length } : null);
  const lines = whole.map(endsOf);
  let looseUntil = 0;
  return (at) => {
    const diffLength = diff(lines, at) || plainDiff(lines, at);
    if (diffLength > 0) return { language: 'diff', length: diffLength };
    if (at < looseUntil) return null;
    const { length, seen } = ownLength(lines, at);
    // If only the following line holds each of these lines in the block, no line among them begins a block either.
    // Checking each would take quadratic time.
    if (length === null) looseUntil = at + seen;
    if (length === null || length === 0) return null;
    return { language: traceback(lines, at) === length ? 'python' : '', length };
  };
}

/** Nobody writes so many lines in one comment: they are pasted, and shown as they are. To look at each takes long. */
const linesMax = 12_000;

/**
 * The ends of a line show its kind. Matching a very long line as a whole would take quadratic time, because a match
 * could begin at each of its characters.
 */
const endsOf = (line: string): string =>
  line.length <= lengthMax ? line : line.slice(0, lengthMax - 100) + line.slice(-100);
const lengthMax = 1_000;

/**
 * How often the end of a block is cut off because it depends on the line after the block. In pasted texts, two cuts are
 * many.
 */
const cutsMax = 8;

/**
 * A block must also be recognised without the lines around it, as it is when it comes back from GitHub.
 * @returns a length of null if each line only holds together with the next; and the number of lines examined
 */
function ownLength(lines: readonly string[], at: number): { readonly length: number | null; readonly seen: number } {
  const seen = blockLength(lines, at);
  let length = seen;
  for (let cut = 0; cut < cutsMax; cut += 1) {
    const own = length === 0 ? 0 : blockLength(lines.slice(at, at + length), 0);
    if (own === length) return { length, seen };
    length = own;
  }
  return { length: null, seen };
}

/** Number of lines of the block that begins at this line; 0 if none does. */
function blockLength(lines: readonly string[], at: number): number {
  const block: Growing = { pairs: 0, isCertain: false, isSession: false, isOfRequest: false, last: at };
  if (!begins(lines, at)) return 0;
  let end = at;
  for (let next = at; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line === '') {
      if (!continues(lines, next + 1) && !(block.isCertain && isLastOfCode(lines, next + 1))) break;
      continue;
    }
    const span = spanAt(lines, next);
    if (span > 0) {
      next += span - 1;
      block.isCertain = true;
      block.last = next;
      end = next + 1;
      continue;
    }
    const strength = strengthIn(lines, next);
    if (next > at && !joins(lines, next, strength, block)) {
      const bridged = bridge(lines, next, block);
      if (bridged === 0) break;
      next += bridged - 1;
      continue;
    }
    if (strength === 'alone') block.isCertain = true;
    if (strength === 'pair') block.pairs += 1;
    if (prompt.test(line)) block.isSession = true;
    if (isOfProgram(line)) block.isOfRequest = true;
    block.last = next;
    end = next + 1;
  }
  return block.isCertain || block.pairs >= 2 ? end - at : 0;
}

interface Growing {
  pairs: number;
  isCertain: boolean;
  /** Whether it contains a command, whose output follows. */
  isSession: boolean;
  /** Whether some of its lines begin with the sign of a quotation. */
  isOfRequest: boolean;
  last: number;
}

/** A sign that opens something belongs to what follows. */
function begins(lines: readonly string[], at: number): boolean {
  const strength = strengthIn(lines, at);
  if (strength === 'alone' || strength === 'pair') return true;
  if (strength === null && isTechnical(lines[at] ?? ''))
    return (
      strengthIn(lines, at + 1) === 'alone' ||
      (isStrong(strengthIn(lines, at + 1)) && isStrong(strengthIn(lines, at + 2)))
    );
  if (/^[a-z][\w-]*:$/u.test(lines[at] ?? '')) return isMember(lines[at + 1]) && isMember(lines[at + 2]);
  return (
    strength === 'inside' &&
    opening.test(lines[at] ?? '') &&
    [1, 2].some((step) => isStrong(strengthIn(lines, at + step)))
  );
}

/** A member of a list or of a mapping in YAML. */
const isMember = (line = ''): boolean => /^ +(?:- )?[\w-]+:(?: \S|$)/u.test(line);

const opening = /^\s*[{[(]$|^={8,}$|^(?:\.{1,2}|[\w.~-]*(?:\/[\w.~-]+)*\/)$/u;
const isStrong = (strength: Strength | null): boolean => strength === 'alone' || strength === 'pair';

/** After an empty line, a block goes on only with a line that could begin one, or with more indented lines. */
function continues(lines: readonly string[], at: number): boolean {
  let next = at;
  while (lines[next] === '' && next - at < 3) next += 1;
  if (isOfCommit(lines, next) || partOfTrace.test(lines[next] ?? '') || isCodeIndented(lines[next] ?? '')) return true;
  return (
    begins(lines, next) &&
    [0, 1, 2].some(
      (step) => strengthIn(lines, next + step) === 'alone' || (step > 0 && isStrong(strengthIn(lines, next + step))),
    )
  );
}

/** A single line of code below an empty line; what stands below it says no more than words. */
const isLastOfCode = (lines: readonly string[], at: number): boolean =>
  strengthIn(lines, at) === 'pair' && !isStrong(strengthIn(lines, at + 1));

const foreign = /^(?:>|`{3,}|~{3,})/u;
const prompt =
  /^[$%] [a-z./~]\S*|^\$ \S|^(?:ba|z|k)?sh-\d[\d.]*[$#] |^[\w-]+:[~/]\S*[#$] |^(?:s?ftp|telnet|nslookup)> |^(?:# )?\[?[\w.-]+@[\w.-]+[: ][^\s$#>]*\]?[$#%>] |^[A-Z]:\\[^>]*>|^PS [A-Z]:\\|^(?:mysql|sqlite|MariaDB \S+|\w+=[#>])> ?|^\w+=[#>] |^irb\(|^>>> |^~\S*> |^# [a-z]/u;

function joins(lines: readonly string[], at: number, strength: Strength | null, block: Growing): boolean {
  const line = lines[at] ?? '';
  if (foreign.test(line)) return isOfProgram(line) || (block.isOfRequest && /^> ?(?:[A-Z][\w-]*: |$)/u.test(line));
  if (isStrong(strength) || partOfTrace.test(line) || isOfCommit(lines, at)) return true;
  const isBelow = block.last === at - 1;
  if (isBelow && (block.isCertain || block.pairs > 0) && /^(?: {2}|\t)\s*\S.*[^.!?]$/u.test(line)) return true;
  if (isBelow && strength === 'inside' && isStrong(strengthIn(lines, at + 1))) return true;
  if (isBelow && isLastRest(lines, at)) return true;
  if (isBelow && isOutput(line, lines[at - 1])) return true;
  if (isProse(line)) return false;
  if (!isBelow) return isCodeIndented(line);
  return (
    strength === 'inside' ||
    /^\s/u.test(line) ||
    (block.isSession && !isWordy(line)) ||
    ((block.isCertain || block.pairs > 1) && isTechnical(line)) ||
    isRest(lines, at)
  );
}

const partOfTrace =
  /^(?:During handling of |The above exception |Stack ?trace:$|\(See full trace|\(Use `|No (?:locals|symbol table info available)\.$)/iu;

/** Whether a program says something below its own command. */
function isOutput(line: string, before = ''): boolean {
  const program = /^\$ (?:sudo )?(?:\S*\/)?([\w.-]+)(?: |$)/u.exec(before)?.[1];
  return program !== undefined && line.startsWith(`${program}: `);
}

/** The rest of a line that was too long for a mail. */
function isRest(lines: readonly string[], at: number): boolean {
  const [before = '', line = ''] = [lines[at - 1], lines[at]];
  if (before.length < 50 || line.length > 100) return false;
  if (/^[("'`/.[\d<-]|^\S*[/:=]\S/u.test(line)) return true;
  return /^[a-z]/u.test(line) && isStrong(strengthIn(lines, at + 1));
}

/**
 * The end of a wrapped line, at the end of a paragraph: with a place or a number in it, and not the beginning of a
 * sentence.
 */
function isLastRest(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  const first = /^[a-z]+(?= )/u.exec(line)?.[0] ?? '';
  const isLast =
    after === '' && strengthIn(lines, at - 1) === 'alone' && isWrapped(before) && before.length + first.length > 70;
  return isLast && first !== '' && !startsSentence.test(line) && /\d\.\d+\.\d|\w[/=]\w|\w:\d/u.test(line);
}

/** The message of a commit: indented, below the date of it. */
function isOfCommit(lines: readonly string[], at: number): boolean {
  if (!/^ {4}\S/u.test(lines[at] ?? '')) return false;
  const above = lines.slice(Math.max(0, at - 50), at).findLast((line) => line !== '' && !line.startsWith('    '));
  return /^(?:Author)?Date: /u.test(above ?? '');
}

/** One or two lines between parts of the same block, if they are no sentences; 0 if there is something else. */
function bridge(lines: readonly string[], at: number, block: Growing): number {
  const line = lines[at] ?? '';
  const isBetween =
    block.isCertain && block.last === at - 1 && strengthIn(lines, at + 1) === 'alone' && !/[.:!?]$/u.test(line);
  const before = lines[at - 1];
  const isSentence =
    isProse(line) &&
    !(isWrapped(before) && /[:,]$/u.test(before ?? '')) &&
    (startsSentence.test(line) || !isWrapped(before));
  if (isBetween && !isSentence && !foreign.test(line) && !listItem.test(line)) return 1;
  const output = block.isSession ? outputAt(lines, at) : 0;
  if (output > 0) return output;
  for (const length of [1, 2]) {
    const between = lines.slice(at, at + length);
    if (between.some((line) => line === '' || isProse(line) || foreign.test(line) || listItem.test(line))) return 0;
    if (isStrong(strengthIn(lines, at + length)) && (block.isCertain || block.pairs > 0)) return length;
  }
  return 0;
}

/** Up to three lines of words between two commands; 0 if people wrote them. */
function outputAt(lines: readonly string[], at: number): number {
  for (let length = 0; length <= 3; length += 1) {
    const line = lines[at + length] ?? '';
    if (prompt.test(line)) return length;
    if (line === '' || foreign.test(line) || listItem.test(line) || (length > 0 && /[.!?:]$/u.test(line))) return 0;
  }
  return 0;
}

/** Mail programs break lines that are longer. */
const isWrapped = (before = ''): boolean => before.length >= 50 && before.length <= 80;

const listItem = /^(?:[-*]|\d{1,9}[.)]) \S/u;

/** Whether much of a line is not words: paths, numbers, signs. */
function isTechnical(line: string): boolean {
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
