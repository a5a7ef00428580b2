import { imitates, imitations } from './imitates.ts';

/** Plain text in which each line that looks like the bridge's own is a quotation. */
export const quotedLines = (text: string): string => quotedEach(text.split('\n')).join('\n');

/** The same for the lines of a text. */
export function quotedEach(lines: readonly string[]): readonly string[] {
  const found = imitations(lines);
  return lines.map((line, at) => (found[at] === true ? quoted(line) : line));
}

export const quotedLine = (line: string): string => (imitates(line) ? quoted(line) : line);

/** The sign goes in front of each row of the line. */
const quoted = (line: string): string => `> ${line.replace(breaks, '$&> ')}`;

/** Browsers show the rest of the line below it. */
const breaks = /[\u2028\u2029]/gu;
