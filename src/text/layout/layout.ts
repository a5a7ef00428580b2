import { diff, plainDiff, traceback } from './known-forms.ts';
import { type Strength, shell } from './line-features.ts';
import { isCodeIndented, isStrong, strengthIn } from './line-strength.ts';
import { isProse, isWordy, startsSentence } from './sentences.ts';
import { spanAt } from './spans.ts';
import { belowRemarks, foreign, isHead, isOfCommit, isTechnical, labelled, listItem } from './surroundings.ts';

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
  const block: Growing = { first: at, pairs: 0, isCertain: false, isSession: false, isOfRequest: false, last: at };
  if (!begins(lines, at)) return 0;
  let end = at;
  for (let next = at; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line === '') {
      if (!continues(lines, next + 1) && !((block.isCertain || block.pairs > 1) && isLastOfCode(lines, next + 1)))
        break;
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
  readonly first: number;
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
  const below = belowRemarks(lines, at);
  if (below === at && isTechnical(lines[at] ?? '')) {
    if (strengthIn(lines, at + 1) === 'alone') return true;
    if (strength === null) return isStrong(strengthIn(lines, at + 1)) && isStrong(strengthIn(lines, at + 2));
  }
  if (strength === null && isHead(lines, at))
    return isStrong(strengthIn(lines, at + 1)) && isStrong(strengthIn(lines, at + 2));
  if (strength !== 'inside') return false;
  const next = isOpening(lines, at) ? at + 1 : below > at && !isTitle(lines, at) ? below : null;
  return next !== null && [next, next + 1].some((line) => isStrong(strengthIn(lines, line)));
}

/** One or two words as in a heading of Markdown. */
const isTitle = (lines: readonly string[], at: number): boolean =>
  /^# \p{Lu}\w*(?: \w+)?$/u.test(lines[at] ?? '') && (at === 0 || lines[at - 1] === '');

/** A mark stands directly above what it marks; a name alone may be that of a person. */
const isOpening = (lines: readonly string[], at: number): boolean =>
  opening.test(lines[at] ?? '') || (/^\s*@\w/u.test(lines[at] ?? '') && lines[at + 1] !== '');
const opening = /^\s*[{[(]$|^\s*\[?(?:\.{3,}|…)|^={8,}$|^(?:\.{1,2}|[\w.~-]*(?:\/[\w.~-]+)*\/)$/u;
/** Maximum length of a line of code between empty lines; longer ones may be paragraphs. */
const loneMax = 100;
const closing = /^\s*[\])}]+[;,]?$/u;

/** After an empty line, a block goes on only with a line that could begin one, or with more indented lines. */
function continues(lines: readonly string[], at: number): boolean {
  let next = at;
  while (lines[next] === '' && next - at < 3) next += 1;
  if (
    isOfCommit(lines, next) ||
    partOfTrace.test(lines[next] ?? '') ||
    isCodeIndented(lines[next] ?? '') ||
    closing.test(lines[next] ?? '')
  )
    return true;
  if (isHead(lines, next)) return [1, 2].some((step) => isStrong(strengthIn(lines, next + step)));
  if (!begins(lines, next))
    return isTechnical(lines[belowRemarks(lines, next)] ?? '') && belowRemarks(lines, next) > next;
  if (strengthIn(lines, next) === 'alone') return true;
  if ((lines[next] ?? '').length > loneMax) return isStrong(strengthIn(lines, next + 1));
  let below = next + 1;
  while (below - next < 4 && lines[below] === '') below += 1;
  return [below, below + 1].some((line) => isStrong(strengthIn(lines, line)));
}

/** A single line of code below an empty line; what stands below it says no more than words. */
const isLastOfCode = (lines: readonly string[], at: number): boolean =>
  strengthIn(lines, at) === 'pair' && !isStrong(strengthIn(lines, at + 1)) && !/^\s*\/\//u.test(lines[at] ?? '');

const prompt = new RegExp(
  String.raw`${shell.source}|^[$%] [a-z./~]\S*|^\$ \S|^# \[?[\w.-]+@[\w.-]+[: ][^\s$#>]*\]?[$#%>] |^(?:mysql|sqlite|MariaDB \S+|\w+=[#>])> ?|^\w+=[#>] |^irb\(|^>>> |^~\S*> |^# [a-z]`,
  'u',
);

function joins(lines: readonly string[], at: number, strength: Strength | null, block: Growing): boolean {
  const line = lines[at] ?? '';
  if (foreign.test(line)) return isOfProgram(line) || (block.isOfRequest && /^> ?(?:[A-Z][\w-]*: |$)/u.test(line));
  if (isStrong(strength) || partOfTrace.test(line) || isOfCommit(lines, at)) return true;
  const isBelow = block.last === at - 1;
  if (isBelow && (block.isCertain || block.pairs > 0) && /^(?: {2}|\t)\s*\S.*[^.!?]$/u.test(line)) return true;
  if (isBelow && strength === 'inside' && isStrong(strengthIn(lines, at + 1))) return true;
  if (isRemark(lines, at)) return true;
  if (isBelow && (isLastRest(lines, at, block) || addsTo(line, block))) return true;
  if (isBelow && isOutput(line, lines[at - 1])) return true;
  if (isProse(line)) return false;
  if (isBelow && block.isCertain && /\w:$/u.test(lines[at - 1] ?? '') && !listItem.test(line)) return true;
  if (!isBelow) return isCodeIndented(line) || closing.test(line);
  return (
    strength === 'inside' ||
    /^\s/u.test(line) ||
    (block.isSession && !isWordy(line)) ||
    ((block.isCertain || block.pairs > 1) && isTechnical(line)) ||
    isRest(lines, at)
  );
}

/** Remarks in code, above more of it. */
function isRemark(lines: readonly string[], at: number): boolean {
  const below = belowRemarks(lines, at);
  return below > at && (isStrong(strengthIn(lines, below)) || isTechnical(lines[below] ?? ''));
}

/** Whether a program says something, in words, of what stands above. */
const addsTo = (line: string, { isCertain, pairs }: Growing): boolean =>
  (isCertain || pairs > 0) && /^\s*(?:note|help|warning|error|hint): \S/u.test(line);

const partOfTrace =
  /^(?:During handling of |The above exception |Stack ?trace:$|\(See full trace|\(Use `|No (?:locals|symbol table info available)\.$)/iu;

/** Whether a program says something below its own command. */
function isOutput(line: string, before = ''): boolean {
  const program = /^([a-z][\w.-]*): /u.exec(line)?.[1];
  return program !== undefined && prompt.test(before) && before.split(/[\s/]/u).includes(program);
}

const isLoose = (lines: readonly string[], at: number): boolean => lines[at] !== '' && strengthIn(lines, at) === null;

/** The rest of a line that was too long for a mail. */
function isRest(lines: readonly string[], at: number): boolean {
  const [before = '', line = ''] = [lines[at - 1], lines[at]];
  if (before.length < 50 || line.length > 100) return false;
  if (/^[("'`/.[\d<-]|^\S*[/:=]\S/u.test(line)) return true;
  return /^[a-z]/u.test(line) && isStrong(strengthIn(lines, at + 1));
}

/**
 * The end of a wrapped line, at the end of a paragraph: with a place or a number in it, or below another one, and not
 * the beginning of a sentence.
 */
function isLastRest(lines: readonly string[], at: number, { first: start }: Growing): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  const first = /^[a-z]+(?=[ .]|$)/u.exec(line)?.[0] ?? '';
  const isLast =
    after === '' && strengthIn(lines, at - 1) === 'alone' && isWrapped(before) && before.length + first.length > 70;
  if (!isLast || first === '' || startsSentence.test(line)) return false;
  if (/\d\.\d+\.\d|\w[/=]\w|\w:\d/u.test(line)) return true;
  return [2, 3].some((step) => at - step > start && isWrapped(lines[at - step - 1]) && isLoose(lines, at - step));
}

/** One or two lines between parts of the same block, if they are no sentences; 0 if there is something else. */
function bridge(lines: readonly string[], at: number, block: Growing): number {
  const line = lines[at] ?? '';
  const before = lines[at - 1];
  const isCut = isWrapped(before) && /[:,]$/u.test(before ?? '');
  const isBetween =
    block.isCertain &&
    block.last === at - 1 &&
    strengthIn(lines, at + 1) === 'alone' &&
    (isCut || !/[.:!?]$/u.test(line));
  const isSentence =
    isProse(line) &&
    !isCut &&
    !labelled.test(line) &&
    (startsSentence.test(line) || !(isWrapped(before) || /^[a-z]\S*(?: \S+){5}/u.test(line)));
  if (isBetween && !isSentence && !foreign.test(line) && !listItem.test(line)) return 1;
  const output = block.isSession ? outputAt(lines, at) : 0;
  if (output > 0) return output;
  for (const length of [1, 2]) {
    const last = lines[at + length - 1] ?? '';
    const isWords = isProse(last) && strengthIn(lines, at + length - 1) !== 'inside';
    if (last === '' || isWords || foreign.test(last) || listItem.test(last)) return 0;
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
