import { markBrackets } from './brackets.ts';
import { reportAt } from './reports.ts';
import { isProse, readsLikeSentence } from './sentences.ts';

/**
 * Runs of lines that belong together from an opening to its end, whatever the words between are: comments in code,
 * elements with values in lines of their own, sessions with a server, settings of a file, and reports in several parts.
 */

/** Lengths of the runs in a text, by their first lines; -1 for the lines of a signature, which are no table. */
type Spans = Int32Array;

const known = new WeakMap<readonly string[], Spans>();

export function spanAt(lines: readonly string[], at: number): number {
  let spans = known.get(lines);
  if (spans === undefined) {
    spans = new Int32Array(lines.length);
    markEnclosed(lines, spans, /^\s*\/\*/u, '*/');
    markEnclosed(lines, spans, /^\s*<!--/u, '-->');
    markElements(lines, spans);
    markBrackets(lines, spans);
    markSessions(lines, spans);
    markSettings(lines, spans);
    markYaml(lines, spans);
    markDebuggers(lines, spans);
    markReports(lines, spans);
    markSignature(lines, spans);
    known.set(lines, spans);
  }
  return spans[at] ?? 0;
}

const linesMax = 200;
const foreign = /^(?:>|`{3,}|~{3,})/u;

/** Comments: an empty line ends them, unless its sign stands there. */
function markEnclosed(lines: readonly string[], spans: Spans, opening: RegExp, end: '*/' | '-->'): void {
  let first = -1;
  for (const [at, line] of lines.entries()) {
    if (opening.test(line)) first = at;
    else if (line === '' || foreign.test(line) || at - first > linesMax) first = -1;
    if (first < 0 || !line.includes(end)) continue;
    // Amid a sentence, only its sign is meant; one line of XML belongs to what stands around it.
    if (first < at || (end === '*/' && line.endsWith(end))) spans[first] = at + 1 - first;
    first = -1;
  }
}

const openTag = /^\s*<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?(?<!\/)>$/u;
const closeTag = /^\s*<\/([A-Za-z][\w:.-]*)>$/u;

/** Elements whose tags stand in lines of their own; two sentences in a row are not within one. */
function markElements(lines: readonly string[], spans: Spans): void {
  let open: { readonly name: string; readonly at: number }[] = [];
  let isAfterSentence = false;
  for (const [at, line] of lines.entries()) {
    const name = openTag.exec(line)?.[1];
    if (name !== undefined) open.push({ name, at });
    if (open.length === 0) continue;
    const isSentence = isProse(line);
    if (foreign.test(line) || (isSentence && isAfterSentence)) open = [];
    isAfterSentence = isSentence;
    const closed = closeTag.exec(line)?.[1];
    if (closed === undefined) continue;
    const place = open.slice(-nestedMax).findLastIndex((each) => each.name === closed);
    const own = place < 0 ? undefined : open[Math.max(0, open.length - nestedMax) + place];
    if (own === undefined) continue;
    spans[own.at] = at + 1 - own.at;
    open.length = open.indexOf(own, Math.max(0, open.length - nestedMax));
  }
}

/** A tag that is never closed is looked for no further. */
const nestedMax = 20;

const greeting = /^(?:Trying [\d.:a-f]+\.\.\.|Connected to \S+\.|Escape character is '.*'\.)$/iu;
const farewell = /^Connection (?:to \S+ )?closed\b.*$/u;

/** From what telnet says first to its last words, or to a sentence. */
function markSessions(lines: readonly string[], spans: Spans): void {
  for (let at = 0; at < lines.length; at += 1) {
    if (!greeting.test(lines[at] ?? '')) continue;
    let end = at + 1;
    for (; end < lines.length && end - at < linesMax; end += 1) {
      const line = lines[end] ?? '';
      if (farewell.test(line)) break;
      if (foreign.test(line) || (line === '' ? isProse(lines[end + 1] ?? '') : isClosing(line))) break;
    }
    if (farewell.test(lines[end] ?? '')) end += 1;
    while (lines[end - 1] === '') end -= 1;
    if (end - at > 1) spans[at] = end - at;
    at = end - 1;
  }
}

const isClosing = (line: string): boolean =>
  !greeting.test(line) && readsLikeSentence(line) && /^\p{Lu}.*[.!?:]$/u.test(line);

const licence = /^GNU gdb \S/u;
const loading = /^(?:\(gdb\)|Reading symbols |\[New |Core was generated |Program )/u;

/** What a debugger says of itself, with its licence, up to its work. */
function markDebuggers(lines: readonly string[], spans: Spans): void {
  let first = -1;
  for (const [at, line] of lines.entries()) {
    if (licence.test(line)) first = at;
    else if (foreign.test(line) || at - first > licenceMax) first = -1;
    if (first < 0 || !loading.test(line)) continue;
    spans[first] = at + 1 - first;
    first = -1;
  }
}

const licenceMax = 30;

const key = /^(?:- )?[A-Za-z][\w./-]*:(?: ["'[{]| \S+(?: +#|$)| +#|$)/u;
const member = /^ +(?:- )?[\w./"'-]+:(?: \S.*)?$|^ *- \S+(?: \S+)?$/u;

/** Keys with members in lines of their own, as in YAML: at least two of the one and three of both. */
function markYaml(lines: readonly string[], spans: Spans): void {
  for (let at = 0; at < lines.length; at += 1) {
    let [next, end, keys, members, isNested] = [at, at, 0, 0, false];
    for (; next < lines.length; next += 1) {
      const line = lines[next] ?? '';
      if (
        line === ''
          ? lines[next - 1] === '' || next === at
          : isProse(line) && !remark.test(line) && !(end > at && key.test(line))
      )
        break;
      const isKey = key.test(line);
      const isMember = end > at && member.test(line);
      if (isKey || isMember) {
        if (isMember && /^\s*(?:- )?[\w./-]+:$/u.test(lines[next - 1] ?? '')) isNested = true;
        if (isKey || line.includes(':')) keys += 1;
        members += 1;
        end = next + 1;
      } else if (line !== '' && !remark.test(line)) break;
    }
    if (isNested && keys > 1 && members > 2 && /^[a-z-]/u.test(lines[at] ?? '')) spans[at] = end - at;
    at = Math.max(at, next - 1);
  }
}

const setting = /^[a-z][\w-]*:[ \t]+\S+$/u;
const remark = /^# ?\S/u;
const settingsLeast = 4;

/** Names with values of one word, and remarks on them. */
function markSettings(lines: readonly string[], spans: Spans): void {
  for (let at = 0; at < lines.length; at += 1) {
    let [next, end, count] = [at, at, 0];
    for (; next < lines.length; next += 1) {
      const line = lines[next] ?? '';
      if (setting.test(line)) {
        count += 1;
        end = next + 1;
      } else if (!remark.test(line) && (line !== '' || next === at || lines[next - 1] === '')) break;
    }
    if (count >= settingsLeast) spans[at] = end - at;
    // What follows the last value holds none, wherever one begins to look.
    at = Math.max(at, next - 1);
  }
}

function markReports(lines: readonly string[], spans: Spans): void {
  for (let at = 0; at < lines.length; at += 1) {
    const { length, seen } = reportAt(lines, at);
    if (length > 1) spans[at] = length;
    at += seen - 1;
  }
}

const signatureMax = 8;

function markSignature(lines: readonly string[], spans: Spans): void {
  const sign = lines.lastIndexOf('--');
  if (sign >= 0 && lines.length - sign <= signatureMax) spans.fill(-1, sign);
}
