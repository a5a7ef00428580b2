import { imapCommand, type Strength, strengthOf } from './line-features.ts';
import { isAmidSentences } from './margins.ts';
import { isProse, readsLikeSentence } from './sentences.ts';
import { spanAt } from './spans.ts';

/** How strongly a line shows that it is not prose, by itself and by its neighbours. */
export function strengthIn(lines: readonly string[], at: number): Strength | null {
  const whole = lines[at];
  if (whole === undefined || whole === '') return null;
  const line = withoutRemark(whole);
  const span = spanAt(lines, at);
  if (span !== 0) return span > 0 ? 'alone' : null;
  if (source.test(line)) return null;
  if (/^\$ [\w./~-]/u.test(line) || /^# [a-z][\w.-]*(?: |$)/u.test(line))
    return isProse(line.slice(2)) ? (line[0] === '$' ? null : 'inside') : line[0] === '$' ? 'alone' : 'pair';
  const strength = strengthOf(line);
  if (strength === 'alone')
    return weak.test(line) && (readsLikeSentence(line) || listItem.test(line)) ? null : strength;
  const neighbours = [lines[at - 1], lines[at + 1]];
  if (isProse(line) && !certain.test(line) && !imapCommand.test(line) && !isOfSpeaker(lines, at))
    return strength === 'inside' ? strength : null;
  if (listItem.test(line) && neighbours.some((other = '') => listItem.test(other)) && !/ {3,}|\t/u.test(line))
    return null;
  if (isCodeIndented(line) && (isStrong(strengthOf(line.trim())) || !isAmidSentences(lines, at))) return 'alone';
  if (strength !== null && strength !== 'inside') return strength;
  return neighbours.some((other) => isAligned(line, other) || beginsAlike(line, other) || tellsAlike(line, other))
    ? 'pair'
    : strength;
}

export const isStrong = (strength: Strength | null): boolean => strength === 'alone' || strength === 'pair';

/** Remarks in code stand behind it, too. */
function withoutRemark(line: string): string {
  const at = line.indexOf(' //');
  return at > 0 ? line.slice(0, at).trimEnd() || line : line;
}

/** People list addresses below their texts. */
const source = /^\s*(?:\[\d+\]:?\s+)?[[<(]?(?:(?:https?|ftp):\/\/|mailto:)\S*$/u;

/** Such lines are none of a sentence, whatever their words are. */
const certain =
  /^\s*\/\/|^\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|SEVERE)\]?[:([]|^\[(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|SEVERE)\] |^[CS]: |^(?:hint|remote|Error|error|fatal|[EW]): |^[\w./+-]+: (?:fatal|error|warning)\b|^[2-5]\d\d-\S|^\w+ \([\w.]+\) \.\.\. |\.\.\.$|^-- (?:The \w+ compiler identification is|Detecting|Check(?:ing)? for|Looking for|Performing|Found \S+:|Could NOT find) /u;

/** Only the words of such lines distinguish them from sentences. */
const weak = /^[^=(]*[=(].*;\s*$|^(?!PHP ).* in \S+:\d+$/u;

export const isCodeIndented = (line: string): boolean =>
  /^(?: {4}| {0,3}\t)\s*\S/u.test(line) &&
  (!isProse(line) || /^\s*\/\//u.test(line)) &&
  !indentedWords.test(line) &&
  !source.test(line);

/** People indent lists, and what they quote, with the name below. */
const indentedWords = /^\s+(?:\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?[,.!]?$|(?:[-*+•]|\d{1,3}[.)]) \S|>)/u;

const listItem = /^ {0,3}(?:[-*•]|\d{1,9}[.)]) \S/u;

/** Whether a line begins as one near it that is no sentence: with the same program, or with a date and a time. */
function isOfSpeaker(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const speaker = /^[a-z][\w./-]*(?:\[\d+\])?: /u.exec(line)?.[0];
  if (speaker === undefined && !stamp.test(line)) return false;
  return lines
    .slice(Math.max(0, at - 3), at + 4)
    .some((other) => (speaker === undefined ? stamp.test(other) : other.startsWith(speaker)) && !isProse(other));
}

const stamp = /^\[?(?:\d{2,4}[-/.]\d\d[-/.]\d{2,4}[T ,]+|[A-Z][a-z]{2} +\d+ )\d\d:\d\d:\d\d/u;

/** Whether two lines have a column in common, which two spaces separate from the one before. */
function isAligned(line: string, other: string | undefined): boolean {
  if (other === undefined || !/\S {2,}\S/u.test(line) || !/\S {2,}\S/u.test(other)) return false;
  const columns = new Set(columnsOf(other));
  return columnsOf(line).some((column) => columns.has(column));
}

/** Whether two lines begin with the same name of a program, of a part of it or of a device. */
function beginsAlike(line: string, other = ''): boolean {
  const name = /^(?:\S+ [A-Z]+!|\S*[\w)\]!|:>])/u.exec(line)?.[0] ?? '';
  return name.length > 2 && /[\d_:./!()[\]|]/u.test(name) && !/^\d+[.):]?$/u.test(name) && other.startsWith(`${name} `);
}

/** Whether two lines tell values of the same thing: `OpenGL vendor string: Example`. */
function tellsAlike(line: string, other = ''): boolean {
  const name = /^([A-Z]\S+ )[\w ()-]+: \S/u.exec(line)?.[1];
  return name !== undefined && other.startsWith(name) && /^[\w ()-]+: \S/u.test(other);
}

/** Where text begins or ends next to two spaces: numbers are aligned at their ends. */
const columnsOf = (line: string): readonly number[] =>
  [...line.matchAll(/\S( {2,})(?=\S)/gu)].flatMap(({ index, 0: gap }) => [
    index + gap.length,
    -(index + gap.length + (/^\S+/u.exec(line.slice(index + gap.length))?.[0].length ?? 0)),
  ]);
