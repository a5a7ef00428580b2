import { strengthOf } from './line-features.ts';
import { isProse } from './sentences.ts';

/** From a bracket at the end of a line to the line with its end, as far from the margin: of code, nothing leaves it. */

const opening = /[{[(]\s*$/u;
const ending = /^(\s*)[}\])]/u;
const alone = /^\s*[{[(]$/u;
const head = /[()[\]<>]|^\s*(?:\w+ )*(?:class|struct|trait|interface|enum|union|namespace|impl|do|else|try)\b/u;
const foreign = /^(?:>|`{3,}|~{3,})/u;
const openMax = 20;
const linesMax = 200;

/** @param lengths of the runs, by their first lines, or by the heads above them */
export function markBrackets(lines: readonly string[], lengths: Int32Array): void {
  let open: { readonly margin: string; readonly at: number }[] = [];
  let isAfterSentence = false;
  for (const [at, line] of lines.entries()) {
    const isSentence = isProse(line) && strengthOf(line) === null;
    if (foreign.test(line) || (isSentence && isAfterSentence)) open = [];
    if (line !== '') isAfterSentence = isSentence;
    const margin = ending.exec(line)?.[1];
    if (margin !== undefined) {
      const place = open.findLastIndex((each) => each.margin === margin);
      const own = open[place];
      if (own !== undefined && at - own.at < linesMax) {
        const first = alone.test(lines[own.at] ?? '') && isHead(lines[own.at - 1]) ? own.at - 1 : own.at;
        lengths[first] = Math.max(lengths[first] ?? 0, at + 1 - first);
        open = open.slice(0, place);
      }
    }
    if (opening.test(line) && !isSentence)
      open = [...open.slice(-openMax), { margin: /^\s*/u.exec(line)?.[0] ?? '', at }];
  }
}

const isHead = (line = ''): boolean => head.test(line) && !/[:.]$/u.test(line) && !isProse(line) && !foreign.test(line);
