/** What the lines of a text cost a Markdown parser, in steps of which it takes 200 in about a microsecond. */

/**
 * For each line, and for each container that opens in it. Where containers close, or lines are ragged or underlined,
 * all lines are gone through; in lists and quotations some of each.
 */
const stepsOfLine = {
  line: 3_000,
  gap: 3_500,
  white: 1_500,
  heading: 4_000,
  code: 1_700,
  container: 4_500,
  depth: 40,
  pair: 1,
  close: 25,
  ragged: 6,
  underline: 12,
} as const;

/** In how many lists, quotations and notes the line begins. */
export const depthOf = (line: string): number => containers.exec(line)?.[0].match(container)?.length ?? 0;

/** The containers at the start of a line: quotations, list items and footnotes. */
const containers = /^(?:[ \t]*(?:>|\[\^(?:\\.|[^\s[\]\\])+\]:|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/u;
const container = />|\[\^(?:\\.|[^\s[\]\\])+\]:|[-*+]|\d+[.)]/gu;

/** About how many steps a Markdown parser takes for these lines, apart from what is in their paragraphs. */
export function stepsOfLines(lines: readonly string[]): number {
  return raggedSteps(lines) + stepsOfEach(lines);
}

export const stepsOfCode = (lines: number): number => lines * stepsOfLine.code;

function stepsOfEach(lines: readonly string[]): number {
  let [steps, full, inside, closings, open] = [0, 0, 0, 0, ''];
  for (const line of lines) {
    const isEmpty = !/[^ \t]/u.test(line);
    if (/[ \t]$/u.test(line)) steps += stepsOfLine.white;
    if (isEmpty) {
      steps += stepsOfLine.gap;
      if (open.includes('>')) closings += 1;
      open = open.replace(/>.*/u, '');
      continue;
    }
    const own = containers.exec(line)?.[0] ?? '';
    if (isClosing(open, own, line)) closings += 1;
    if (own !== '' || !/^[ \t]/u.test(line)) open = own;
    if (open !== '') inside += 1;
    full += 1;
    steps += stepsOfLine.line + (own.match(container)?.length ?? 0) * stepsOfLine.container;
    steps += (own.match(/[-*+.)]/gu)?.length ?? 0) ** 2 * stepsOfLine.depth;
    if (/^[ \t>]*#/u.test(line)) steps += stepsOfLine.heading;
  }
  return steps + inside ** 2 * stepsOfLine.pair + closings * full * stepsOfLine.close;
}

/** Whether a line closes more than an item of the containers that are open above it. */
function isClosing(open: string, own: string, line: string): boolean {
  if (open === '' || (own === '' && /^[ \t]/u.test(line))) return false;
  const [before, after] = [open, own].map((marks) => marks.replace(/\d+/gu, '1'));
  return before === after ? /[-*+.)][ \t].*>|[-*+.)][ \t]+[-*+\d]/u.test(open) : !own.startsWith(`${open} `);
}

/** For lines under headings, and those that may continue a quotation or a list without its sign. */
function raggedSteps(lines: readonly string[]): number {
  let [steps, isWithin] = [0, false];
  for (const [index, line] of lines.entries()) {
    const isEmpty = !/[^ \t]/u.test(line);
    const hasSign = /^[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/u.test(line);
    if (underline.test(line) && !bare.test(lines[index - 1] ?? '')) steps += stepsOfLine.underline;
    else if (isWithin && !hasSign && !isEmpty) steps += stepsOfLine.ragged;
    isWithin = hasSign || (isWithin && !isEmpty);
  }
  return steps * lines.filter((line) => line !== '').length;
}

const underline = /^[ \t>]*(?:=+|-+)[ \t]*$/u;
/** A line that no line can lie under. */
const bare = /^[ \t>]*(?:(?:-|-{3,})[ \t]*)?$/u;
