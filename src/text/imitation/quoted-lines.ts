import { imitates } from './imitates.ts';

/** Plain text in which each line that looks like the bridge's own is a quotation. */
export const quotedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => quotedLine(line))
    .join('\n');

/** The sign goes in front of each row of the line. */
export const quotedLine = (line: string): string => (imitates(line) ? `> ${line.replace(breaks, '$&> ')}` : line);

/** Browsers show the rest of the line below it. */
const breaks = /[\u2028\u2029]/gu;
